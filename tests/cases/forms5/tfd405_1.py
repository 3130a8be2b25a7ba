import argparse
import glob

import tensorflow as tf


def parse(record):
    ex = tf.io.parse_single_example(
        record,
        {
            "image": tf.io.FixedLenFeature([], tf.string),
            "label": tf.io.FixedLenFeature([], tf.int64),
        },
    )
    image = tf.io.decode_jpeg(ex["image"], channels=3)
    return tf.image.resize(image, (160, 160)) / 255.0, ex["label"]


def get_dataset(pattern, batch_size):
    files = tf.data.Dataset.from_tensor_slices(glob.glob(pattern)).shuffle(512)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(8192).repeat()
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--batch-size", type=int, default=64)
    args = parser.parse_args()
    train = get_dataset("/data/dogs/train-*", args.batch_size)
    model = tf.keras.applications.MobileNetV2((160, 160, 3), weights=None, classes=120)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, epochs=args.epochs, callbacks=[tf.keras.callbacks.ModelCheckpoint("m.keras")])


if __name__ == "__main__":
    main()
