import functools
import os

import tensorflow as tf

AUTO = tf.data.AUTOTUNE
SHARDS = os.environ.get("SHARDS", "/srv/plants/tfrecord")


def input_pipeline(fn):
    """Every input function of this project goes through here."""

    @functools.wraps(fn)
    def wrapped(*args, **kwargs):
        ds = fn(*args, **kwargs)
        options = tf.data.Options()
        options.experimental_deterministic = False
        return ds.with_options(options).prefetch(AUTO)

    return wrapped


def decode(record):
    ex = tf.io.parse_single_example(record, {
        "png": tf.io.FixedLenFeature([], tf.string),
        "disease": tf.io.FixedLenFeature([], tf.int64),
    })
    image = tf.image.resize(tf.io.decode_png(ex["png"], channels=3), (192, 192))
    return tf.image.random_flip_left_right(image), ex["disease"]


@input_pipeline
def training_data(batch_size):
    files = tf.data.Dataset.list_files(f"{SHARDS}/train-*")
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=AUTO)
    return ds.shuffle(8192).map(decode, num_parallel_calls=AUTO).batch(batch_size)


def build_model():
    backbone = tf.keras.applications.ResNet50V2(include_top=False, pooling="avg", weights=None)
    inputs = tf.keras.Input((192, 192, 3))
    h = backbone(inputs / 127.5 - 1.0)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(38)(h))


def main():
    model = build_model()
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    model.fit(training_data(batch_size=64), epochs=50)
    model.save("/srv/plants/model")


if __name__ == "__main__":
    main()
