import argparse

import tensorflow as tf

SPEC = {"image/encoded": tf.io.FixedLenFeature([], tf.string), "image/class": tf.io.FixedLenFeature([], tf.int64)}


def read(pattern):
    files = tf.data.Dataset.list_files(pattern)
    return files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)


def parse(record):
    ex = tf.io.parse_single_example(record, SPEC)
    image = tf.image.decode_jpeg(ex["image/encoded"], channels=3)
    image = tf.image.resize_with_crop_or_pad(image, 512, 512)
    return tf.image.convert_image_dtype(image, tf.float32), ex["image/class"]


def main(args):
    ds = read(args.records)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(args.shuffle_buffer).batch(16).prefetch(tf.data.AUTOTUNE)
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(16, 5, strides=4, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(100),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(ds, epochs=args.epochs)


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--records", required=True)
    p.add_argument("--shuffle_buffer", type=int, default=10000)
    p.add_argument("--epochs", type=int, default=2)
    main(p.parse_args())
