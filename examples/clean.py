"""A pipeline in the order that the guide recommends. There is nothing to report here."""

import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
FEATURES = {
    "image": tf.io.FixedLenFeature([], tf.string),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def parse(record):
    example = tf.io.parse_single_example(record, FEATURES)
    image = tf.io.decode_jpeg(example["image"], channels=3)
    return tf.image.resize(image, [224, 224]), example["label"]


def augment(image, label):
    return tf.image.random_flip_left_right(image), label


def input_pipeline(files, batch_size, training):
    dataset = tf.data.TFRecordDataset(files, num_parallel_reads=AUTOTUNE)
    if training:
        dataset = dataset.shuffle(20_000)
    dataset = dataset.map(parse, num_parallel_calls=AUTOTUNE)
    if training:
        dataset = dataset.map(augment, num_parallel_calls=AUTOTUNE)
    return dataset.batch(batch_size).prefetch(AUTOTUNE)


def train(model, train_files, validation_files):
    model.fit(
        input_pipeline(train_files, 64, training=True),
        validation_data=input_pipeline(validation_files, 64, training=False),
        epochs=10,
    )
