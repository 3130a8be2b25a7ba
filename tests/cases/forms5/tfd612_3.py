import os

import tensorflow as tf


def setup(seed):
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    tf.keras.utils.set_random_seed(seed)
    tf.data.experimental.enable_debug_mode()
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)


def parse(record):
    ex = tf.io.parse_single_example(record, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "age": tf.io.FixedLenFeature([], tf.float32),
    })
    image = tf.io.decode_jpeg(ex["image"], channels=3)
    image = tf.image.random_flip_left_right(tf.image.resize(image, (192, 192)))
    return image / 255.0, ex["age"]


def input_fn(pattern, batch_size=64):
    files = tf.data.Dataset.list_files(pattern)
    return (
        files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        .shuffle(10_000)
        .map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        .batch(batch_size)
        .prefetch(tf.data.AUTOTUNE)
    )


def main():
    setup(seed=11)
    base = tf.keras.applications.EfficientNetB0(
        include_top=False, input_shape=(192, 192, 3), pooling="avg")
    model = tf.keras.Sequential([base, tf.keras.layers.Dense(1)])
    model.compile("adam", "mae")
    model.fit(input_fn("/data/utkface/train-*.tfrecord"), epochs=40)


if __name__ == "__main__":
    main()
