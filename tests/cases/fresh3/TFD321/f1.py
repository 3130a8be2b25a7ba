import argparse

import tensorflow as tf


def decoded(size):
    def load(path):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        image = tf.image.resize(image, (size, size), antialias=True)
        return image / 127.5 - 1.0
    return lambda ds: ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)


parser = argparse.ArgumentParser()
parser.add_argument("--images", default="art/*.jpg")
parser.add_argument("--size", type=int, default=64)
parser.add_argument("--passes", type=int, default=50)
args = parser.parse_args()

paths = tf.data.Dataset.list_files(args.images)
ds = paths.repeat(count=args.passes)
ds = ds.apply(decoded(args.size))
ds = ds.batch(64, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

auto = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(3, 3, padding="same", activation="tanh"),
])
opt = tf.keras.optimizers.Adam(2e-4)
for step, images in enumerate(ds):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(auto(images, training=True) - images))
    opt.apply_gradients(zip(tape.gradient(loss, auto.trainable_variables), auto.trainable_variables))
    if step % 200 == 0:
        print(step, float(loss))
