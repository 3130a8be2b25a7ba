import os

import matplotlib.pyplot as plt
import tensorflow as tf
from tensorflow.keras import layers

BUFFER_SIZE = 60_000
BATCH_SIZE = 256
LATENT = 100
EPOCHS = 50

os.makedirs("samples", exist_ok=True)


def load_face(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, [64, 64], method="area")
    return (image - 127.5) / 127.5


faces = tf.data.Dataset.list_files("data/faces/*.png")
faces = faces.map(load_face, num_parallel_calls=8)
faces = faces.cache().shuffle(BUFFER_SIZE).batch(BATCH_SIZE, drop_remainder=True)


def make_generator():
    model = tf.keras.Sequential([layers.Dense(4 * 4 * 512, use_bias=False, input_shape=(LATENT,))])
    model.add(layers.Reshape((4, 4, 512)))
    for filters in (256, 128, 64):
        model.add(layers.BatchNormalization())
        model.add(layers.LeakyReLU())
        model.add(layers.Conv2DTranspose(filters, 5, strides=2, padding="same", use_bias=False))
    model.add(layers.Conv2DTranspose(3, 5, strides=2, padding="same", activation="tanh"))
    return model


def make_discriminator():
    model = tf.keras.Sequential([layers.InputLayer((64, 64, 3))])
    for filters in (64, 128, 256):
        model.add(layers.Conv2D(filters, 5, strides=2, padding="same"))
        model.add(layers.LeakyReLU())
        model.add(layers.Dropout(0.3))
    model.add(layers.Flatten())
    model.add(layers.Dense(1))
    return model


generator, discriminator = make_generator(), make_discriminator()
generator_optimizer = tf.keras.optimizers.Adam(1e-4)
discriminator_optimizer = tf.keras.optimizers.Adam(1e-4)
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)


@tf.function
def train_step(images):
    noise = tf.random.normal([BATCH_SIZE, LATENT])
    with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
        real = discriminator(images, training=True)
        fake = discriminator(generator(noise, training=True), training=True)
        gen_loss = bce(tf.ones_like(fake), fake)
        disc_loss = bce(tf.ones_like(real), real) + bce(tf.zeros_like(fake), fake)
    gen_grads = gen_tape.gradient(gen_loss, generator.trainable_variables)
    disc_grads = disc_tape.gradient(disc_loss, discriminator.trainable_variables)
    generator_optimizer.apply_gradients(zip(gen_grads, generator.trainable_variables))
    discriminator_optimizer.apply_gradients(zip(disc_grads, discriminator.trainable_variables))


seed = tf.random.normal([16, LATENT])
for epoch in range(EPOCHS):
    for image_batch in faces:
        train_step(image_batch)
    predictions = generator(seed, training=False)
    figure = plt.figure(figsize=(4, 4))
    for i in range(16):
        plt.subplot(4, 4, i + 1)
        plt.imshow(predictions[i] * 0.5 + 0.5)
        plt.axis("off")
    plt.savefig(f"samples/epoch_{epoch:04d}.png")
    plt.close(figure)
