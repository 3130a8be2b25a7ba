import random
from functools import partial

import tensorflow as tf
from tensorflow.data import AUTOTUNE, Dataset, TFRecordDataset


def color(image):
    return tf.image.random_saturation(image, 0.6, 1.4)


def grey(image):
    return tf.image.grayscale_to_rgb(tf.image.rgb_to_grayscale(image))


def solarize(image):
    return tf.where(image < 0.5, image, 1.0 - image)


POLICIES = {"weak": [color], "strong": [color, grey, solarize]}


def decode(record):
    row = tf.io.parse_single_example(record, {
        "jpeg": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64),
    })
    image = tf.io.decode_jpeg(row["jpeg"], channels=3)
    image = tf.image.resize(image, [224, 224])
    return image / 255.0, row["label"]


def apply_policy(image, label, policy):
    op = random.choice(POLICIES[policy])
    return tf.clip_by_value(op(image), 0.0, 1.0), label


def make_dataset(pattern, policy=None, batch_size=128):
    files = Dataset.list_files(pattern, shuffle=policy is not None)
    ds = files.interleave(TFRecordDataset, num_parallel_calls=AUTOTUNE)
    if policy:
        ds = ds.shuffle(10_000)
    ds = ds.map(decode, num_parallel_calls=AUTOTUNE)
    if policy:
        ds = ds.map(partial(apply_policy, policy=policy), num_parallel_calls=AUTOTUNE)
    return ds.batch(batch_size).prefetch(AUTOTUNE)


def main():
    train = make_dataset("/data/flowers/train-*.tfrecord", policy="strong")
    valid = make_dataset("/data/flowers/valid-*.tfrecord")
    model = tf.keras.applications.ResNet50(weights=None, classes=102)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, validation_data=valid, epochs=100)


if __name__ == "__main__":
    main()
