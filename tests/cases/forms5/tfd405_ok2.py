import numpy as np
import tensorflow as tf

images = np.load("/data/faces64.npy", mmap_mode="r")
real = tf.data.Dataset.from_tensor_slices(np.asarray(images)).shuffle(50_000)
noise = tf.data.Dataset.random(seed=3).map(
    lambda s: tf.random.stateless_normal((128,), tf.stack([s, 0])))
pairs = tf.data.Dataset.zip((real, noise)).batch(64, drop_remainder=True).prefetch(2)
calibration = real.repeat().batch(256)

generator = tf.keras.Sequential([
    tf.keras.layers.Input((128,)),
    tf.keras.layers.Dense(64 * 64 * 3, activation="tanh"),
    tf.keras.layers.Reshape((64, 64, 3)),
])
optimizer = tf.keras.optimizers.Adam(2e-4)
stats = tf.keras.layers.Normalization(axis=-1)
stats.adapt(np.asarray(images[:2000]))


@tf.function
def step(image, z):
    with tf.GradientTape() as tape:
        fake = stats(generator(z, training=True))
        loss = tf.reduce_mean(tf.abs(fake - stats(tf.cast(image, tf.float32))))
    grads = tape.gradient(loss, generator.trainable_variables)
    optimizer.apply_gradients(zip(grads, generator.trainable_variables))
    return loss


for epoch in range(40):
    for image, z in pairs:
        loss = step(image, z)
    print(epoch, float(loss))

for n, image in enumerate(calibration):
    step(image, tf.random.normal((256, 128)))
    if n >= 5000:
        break
