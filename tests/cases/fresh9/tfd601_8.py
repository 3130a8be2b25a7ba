import argparse

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import backend as K

SETTINGS = {"image_data_format": "channels_first", "policy": "mixed_float16", "seed": 7}


def setup(settings):
    keras.utils.set_random_seed(settings["seed"])
    K.set_image_data_format(settings["image_data_format"])
    keras.mixed_precision.set_global_policy(settings["policy"])


def read(record):
    ex = tf.io.parse_single_example(record, {
        "tile": tf.io.FixedLenFeature([], tf.string),
        "cover": tf.io.FixedLenFeature([], tf.int64),
    })
    tile = tf.reshape(tf.io.decode_raw(ex["tile"], tf.uint16), [13, 64, 64])
    return tf.cast(tile, tf.float32) / 10_000.0, ex["cover"]


def train_set(pattern, batch_size):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(10_000).map(read, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def network(classes=10):
    x = inputs = keras.Input((13, 64, 64))
    for filters in (64, 128, 256):
        x = keras.layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
        x = keras.layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
        x = keras.layers.MaxPooling2D()(x)
    x = keras.layers.GlobalAveragePooling2D()(x)
    return keras.Model(inputs, keras.layers.Dense(classes, "softmax", dtype="float32")(x))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", default="/data/sentinel2/train-*.tfrecord")
    parser.add_argument("--batch-size", type=int, default=256)
    args = parser.parse_args()
    setup(SETTINGS)
    model = network()
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train_set(args.records, args.batch_size), epochs=60)


if __name__ == "__main__":
    main()
