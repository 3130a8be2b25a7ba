import argparse
import functools
import logging

import tensorflow as tf

log = logging.getLogger(__name__)


def traced(fn):
    @functools.wraps(fn)
    def wrapper(path, label):
        log.info("loading %s", path)
        return fn(path, label)
    return wrapper


@traced
def load_image(path, label):
    image = tf.io.decode_image(
        tf.io.read_file(path), channels=3, expand_animations=False)
    return tf.image.resize(image, [160, 160]) / 255.0, label


def build(folder, batch_size, training):
    names = sorted(tf.io.gfile.listdir(folder))
    paths, labels = [], []
    for index, name in enumerate(names):
        found = tf.io.gfile.glob(f"{folder}/{name}/*")
        paths += found
        labels += [index] * len(found)
    log.info("%d images in %d classes", len(paths), len(names))

    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    if training:
        ds = ds.shuffle(len(paths))
    ds = ds.map(load_image, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("train_dir")
    parser.add_argument("valid_dir")
    parser.add_argument("--batch-size", type=int, default=64)
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO)

    model = tf.keras.applications.MobileNetV3Small(
        input_shape=(160, 160, 3), weights=None, classes=120,
        include_preprocessing=False)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(
        build(args.train_dir, args.batch_size, True),
        validation_data=build(args.valid_dir, args.batch_size, False),
        epochs=30,
    )


if __name__ == "__main__":
    main()
