import functools

import tensorflow as tf
import tensorflow_datasets as tfds
from absl import app, flags

FLAGS = flags.FLAGS
flags.DEFINE_string("dataset", "stanford_dogs", "Name of the TFDS data set.")
flags.DEFINE_integer("batch_size", 64, "Images in a step.")
flags.DEFINE_integer("size", 224, "Edge of the images.")


def preprocess(image, label, *, size, num_classes, training):
    image = tf.image.resize(image, [size, size])
    if training:
        image = tf.image.random_flip_left_right(image)
    return image, tf.one_hot(label, num_classes)


def build(builder, split, training):
    ds = builder.as_dataset(split=split, shuffle_files=training)
    if training:
        ds = ds.shuffle(1_000)
    fn = functools.partial(
        preprocess,
        size=FLAGS.size,
        num_classes=builder.info.features["label"].num_classes,
        training=training,
    )
    ds = ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(FLAGS.batch_size).prefetch(tf.data.AUTOTUNE)


def main(_):
    builder = tfds.builder(FLAGS.dataset)
    builder.download_and_prepare()
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = tf.keras.applications.EfficientNetB0(
            weights=None, classes=builder.info.features["label"].num_classes
        )
        model.compile(
            "adam",
            tf.keras.losses.CategoricalCrossentropy(label_smoothing=0.1),
            metrics=["accuracy"],
        )
    model.fit(
        build(builder, "train", True),
        validation_data=build(builder, "test", False),
        epochs=30,
    )


if __name__ == "__main__":
    app.run(main)
