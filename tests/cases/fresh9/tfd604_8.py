import tensorflow as tf
import tensorflow_datasets as tfds
from tensorflow.keras import layers

NOISE, BATCH, EPOCHS = 100, 256, 60


def make_generator():
    return tf.keras.Sequential([
        layers.Dense(7 * 7 * 256, use_bias=False), layers.BatchNormalization(),
        layers.LeakyReLU(), layers.Reshape((7, 7, 256)),
        layers.Conv2DTranspose(128, 5, 1, "same", use_bias=False), layers.LeakyReLU(),
        layers.Conv2DTranspose(64, 5, 2, "same", use_bias=False), layers.LeakyReLU(),
        layers.Conv2DTranspose(1, 5, 2, "same", activation="tanh")])


def make_discriminator():
    return tf.keras.Sequential([
        layers.Conv2D(64, 5, 2, "same"), layers.LeakyReLU(), layers.Dropout(0.3),
        layers.Conv2D(128, 5, 2, "same"), layers.LeakyReLU(), layers.Dropout(0.3),
        layers.Flatten(), layers.Dense(1)])


def data():
    ds = tfds.load("emnist", split="train", shuffle_files=True)
    ds = ds.cache().shuffle(60_000).batch(BATCH, drop_remainder=True)
    return ds.map(lambda b: tf.cast(b["image"], tf.float32) / 127.5 - 1,
                  num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)
gen, disc = make_generator(), make_discriminator()
gen_opt, disc_opt = tf.keras.optimizers.Adam(1e-4), tf.keras.optimizers.Adam(1e-4)
dataset = data()

for epoch in range(EPOCHS):
    for real in dataset:
        noise = tf.random.normal([BATCH, NOISE])
        with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
            fake = gen(noise, training=True)
            real_out = disc(real, training=True)
            fake_out = disc(fake, training=True)
            gen_loss = bce(tf.ones_like(fake_out), fake_out)
            disc_loss = (bce(tf.ones_like(real_out), real_out)
                         + bce(tf.zeros_like(fake_out), fake_out))
        gen_grads = gen_tape.gradient(gen_loss, gen.trainable_variables)
        disc_grads = disc_tape.gradient(disc_loss, disc.trainable_variables)
        gen_opt.apply_gradients(zip(gen_grads, gen.trainable_variables))
        disc_opt.apply_gradients(zip(disc_grads, disc.trainable_variables))
    print(epoch, float(gen_loss), float(disc_loss))
    gen.save_weights(f"gen_{epoch:03d}.weights.h5")
