import os

RUNTIME = {
    "TF_CPP_MIN_LOG_LEVEL": "2",
    "TF_NUM_INTEROP_THREADS": "1",
    "TF_NUM_INTRAOP_THREADS": "1",
    "TF_FORCE_GPU_ALLOW_GROWTH": "true",
}
os.environ.update(RUNTIME)

import tensorflow as tf  # noqa: E402
import tensorflow_datasets as tfds  # noqa: E402


def prepare(image, label):
    return tf.image.resize(image, (192, 192)) / 255.0, label


def split(name, training):
    ds = tfds.load("food101", split=name, as_supervised=True, shuffle_files=training)
    if training:
        ds = ds.shuffle(1000)
    ds = ds.map(prepare, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(128, drop_remainder=training).prefetch(tf.data.AUTOTUNE)


def main():
    model = tf.keras.applications.DenseNet121(
        weights=None, input_shape=(192, 192, 3), classes=101)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(split("train", True), validation_data=split("validation", False), epochs=30)


if __name__ == "__main__":
    main()
