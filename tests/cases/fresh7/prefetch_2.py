"""Super-resolution: learn 4x upscaling from a folder of photographs."""
import argparse
import functools

import tensorflow as tf


def crop(path, side):
    photo = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.random_crop(photo, (side, side, 3))


def degrade(high):
    high = tf.cast(high, tf.float32) / 255.0
    side = tf.shape(high)[1] // 4
    return tf.image.resize(high, (side, side), antialias=True), high


def patches(pattern, side, batch):
    paths = tf.data.Dataset.list_files(pattern)
    ds = paths.map(functools.partial(crop, side=side), num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch, drop_remainder=True)
    ds = ds.map(degrade, num_parallel_calls=tf.data.AUTOTUNE)
    return ds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--photos", default="data/photos/*.jpg")
    parser.add_argument("--side", type=int, default=96)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--epochs", type=int, default=100)
    args = parser.parse_args()

    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu"),
        tf.keras.layers.Conv2D(48, 3, padding="same"),
        tf.keras.layers.Lambda(lambda t: tf.nn.depth_to_space(t, 4)),
    ])
    optimizer = tf.keras.optimizers.Adam(1e-4)

    @tf.function
    def step(low, high):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(model(low, training=True) - high))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    train = patches(args.photos, args.side, args.batch)
    for epoch in range(args.epochs):
        for low, high in train:
            loss = step(low, high)
        tf.print("epoch", epoch, "L1", loss)


if __name__ == "__main__":
    main()
