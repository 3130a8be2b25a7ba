import argparse
import dataclasses

import tensorflow as tf
from tensorflow.data import AUTOTUNE, Dataset, Options


@dataclasses.dataclass
class InputSettings:
    pattern: str = "/data/open_images/train/*.jpg"
    batch_size: int = 96
    threads: int = 1


def dataset_options(settings):
    options = Options()
    options.threading.private_threadpool_size = settings.threads
    options.deterministic = False
    return options


def load(path):
    name = tf.strings.split(path, "/")[-1]
    label = tf.strings.to_number(tf.strings.substr(name, 0, 4), tf.int32)
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, [299, 299]) / 127.5 - 1.0, label


def make_dataset(settings):
    ds = Dataset.list_files(settings.pattern, shuffle=True)
    ds = ds.map(load, num_parallel_calls=AUTOTUNE)
    ds = ds.batch(settings.batch_size, drop_remainder=True).prefetch(AUTOTUNE)
    return ds.with_options(dataset_options(settings))


def main():
    defaults = InputSettings()
    parser = argparse.ArgumentParser()
    for field in dataclasses.fields(defaults):
        parser.add_argument(f"--{field.name}", type=field.type, default=field.default)
    settings = InputSettings(**vars(parser.parse_args()))
    model = tf.keras.applications.InceptionV3(weights=None, classes=600)
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(make_dataset(settings), epochs=20)


if __name__ == "__main__":
    main()
