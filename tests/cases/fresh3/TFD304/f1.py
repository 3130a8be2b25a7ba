from itertools import islice

import tensorflow as tf


def decode(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (64, 64)) / 127.5 - 1.0
    return image


files = sorted(tf.io.gfile.glob("anime/*.png"))
ds = tf.data.Dataset.from_tensor_slices(files)
ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(64, drop_remainder=True)
ds = ds.cache()
ds = ds.prefetch(tf.data.AUTOTUNE)

encoder = tf.keras.Sequential([tf.keras.layers.Conv2D(32, 4, strides=4), tf.keras.layers.Flatten(), tf.keras.layers.Dense(64)])
decoder = tf.keras.Sequential([tf.keras.layers.Dense(64 * 64 * 3, activation="tanh"), tf.keras.layers.Reshape((64, 64, 3))])
opt = tf.keras.optimizers.Adam()


def run_epoch(batches):
    for images in batches:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(decoder(encoder(images)) - images))
        weights = encoder.trainable_variables + decoder.trainable_variables
        opt.apply_gradients(zip(tape.gradient(loss, weights), weights))
    return float(loss)


for epoch in range(50):
    print(epoch, run_epoch(islice(ds, 100)))
