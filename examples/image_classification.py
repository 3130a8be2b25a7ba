"""Trains an image classifier from TFRecord shards. It works, and wastes most of the machine."""

import argparse

import tensorflow as tf

IMAGE_SIZE = 224
NUM_CLASSES = 37

FEATURES = {
    "image/encoded": tf.io.FixedLenFeature([], tf.string),
    "image/class/label": tf.io.FixedLenFeature([], tf.int64),
}


def parse(record):
    example = tf.io.parse_single_example(record, FEATURES)
    image = tf.io.decode_jpeg(example["image/encoded"], channels=3)
    image = tf.image.resize(image, [IMAGE_SIZE, IMAGE_SIZE])
    return image / 255.0, example["image/class/label"]


def augment(image, label):
    image = tf.image.random_flip_left_right(image)
    image = tf.image.random_brightness(image, max_delta=0.1)
    return image, label


def input_pipeline(pattern, batch_size, training):
    files = tf.data.Dataset.list_files(pattern, shuffle=training)
    dataset = files.flat_map(tf.data.TFRecordDataset)
    dataset = dataset.map(parse)
    if training:
        dataset = dataset.map(augment)
    dataset = dataset.cache()
    dataset = dataset.batch(batch_size, drop_remainder=training)
    if training:
        dataset = dataset.shuffle(10)
    return dataset


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--train", default="data/train-*.tfrecord")
    parser.add_argument("--validation", default="data/validation-*.tfrecord")
    parser.add_argument("--batch-size", type=int, default=64)
    arguments = parser.parse_args()

    train = input_pipeline(arguments.train, arguments.batch_size, training=True)
    validation = input_pipeline(arguments.validation, arguments.batch_size, training=False)

    model = tf.keras.applications.MobileNetV2(weights=None, classes=NUM_CLASSES)
    model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, validation_data=validation, epochs=10)


if __name__ == "__main__":
    main()
