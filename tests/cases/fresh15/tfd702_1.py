import argparse
import glob

import tensorflow as tf


def parse(record):
    ex = tf.io.parse_single_example(
        record,
        {
            "image": tf.io.FixedLenFeature([], tf.string),
            "age": tf.io.FixedLenFeature([], tf.float32),
        },
    )
    image = tf.io.decode_jpeg(ex["image"], channels=1)
    image = tf.image.resize(image, (256, 256)) / 255.0
    return image, ex["age"]


def hands(pattern, batch_size, epochs):
    files = glob.glob(pattern)
    ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files))
    ds = ds.interleave(
        tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE
    )
    ds = ds.apply(tf.data.experimental.shuffle_and_repeat(12_000, count=epochs))
    ds = ds.apply(
        tf.data.experimental.map_and_batch(
            parse,
            batch_size=batch_size,
            num_parallel_calls=tf.data.AUTOTUNE,
            drop_remainder=True,
        )
    )
    return ds.prefetch(tf.data.AUTOTUNE)


def regressor():
    inputs = tf.keras.Input((256, 256, 1))
    x = inputs
    for width in (32, 64, 128, 256):
        x = tf.keras.layers.Conv2D(width, 3, padding="same", activation="relu")(x)
        x = tf.keras.layers.MaxPooling2D()(x)
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1)(x))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", default="/data/boneage/train-*.tfrecord")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=50)
    args = parser.parse_args()

    model = regressor()
    model.compile("adam", "mae")
    model.fit(
        hands(args.records, args.batch, args.epochs),
        epochs=args.epochs,
        steps_per_epoch=12_600 // args.batch,
    )
    model.save("boneage.keras")


if __name__ == "__main__":
    main()
