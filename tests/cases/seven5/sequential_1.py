"""Train a bird classifier from TFRecords."""
import argparse
import functools

import tensorflow as tf
import keras


def parse(record, size, training):
    ex = tf.io.parse_single_example(record, {
        "image/encoded": tf.io.FixedLenFeature([], tf.string),
        "image/class/label": tf.io.FixedLenFeature([], tf.int64),
    })
    image = tf.io.decode_jpeg(ex["image/encoded"], channels=3)
    if training:
        image = tf.image.resize(image, (size + 32, size + 32))
        image = tf.image.random_crop(image, (size, size, 3))
        image = tf.image.random_flip_left_right(image)
    else:
        image = tf.image.resize(image, (size, size))
    return image, ex["image/class/label"]


def get_dataset(pattern, args, training):
    files = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    if training:
        ds = ds.shuffle(args.shuffle)
    fn = functools.partial(parse, size=args.size, training=training)
    ds = ds.map(fn)
    return ds.batch(args.batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default="/data/inat-birds")
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--batch-size", type=int, default=96)
    parser.add_argument("--shuffle", type=int, default=8192)
    parser.add_argument("--epochs", type=int, default=40)
    args = parser.parse_args()

    train = get_dataset(f"{args.data}/train-*", args, True)
    valid = get_dataset(f"{args.data}/valid-*", args, False)
    model = keras.applications.EfficientNetV2S(
        weights=None, input_shape=(args.size, args.size, 3), classes=1486)
    model.compile(keras.optimizers.AdamW(1e-3), "sparse_categorical_crossentropy", ["accuracy"])
    model.fit(train, validation_data=valid, epochs=args.epochs)


if __name__ == "__main__":
    main()
