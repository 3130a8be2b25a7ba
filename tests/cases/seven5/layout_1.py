"""Textures: a VGG-like net, channels first throughout."""
import tensorflow as tf
import keras
from keras import layers

keras.mixed_precision.set_global_policy("mixed_float16")


def decode(record):
    ex = tf.io.parse_single_example(record, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64),
    })
    image = tf.io.decode_jpeg(ex["image"], channels=3)
    image = tf.image.resize(image, (224, 224)) / 255.0
    return tf.transpose(image, [2, 0, 1]), ex["label"]


def dataset(pattern, training):
    ds = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    if training:
        ds = ds.shuffle(8192)
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(128).prefetch(tf.data.AUTOTUNE)


def build_model(classes=48):
    model = keras.Sequential([keras.Input((3, 224, 224))])
    for width in (64, 128, 256, 512):
        for _ in range(2):
            model.add(layers.Conv2D(
                width, 3, padding="same", activation="relu", data_format="channels_first"))
        model.add(layers.MaxPooling2D(data_format="channels_first"))
    model.add(layers.GlobalAveragePooling2D(data_format="channels_first"))
    model.add(layers.Dense(classes, dtype="float32"))
    return model


if __name__ == "__main__":
    model = build_model()
    model.compile(
        keras.optimizers.SGD(0.01, momentum=0.9, nesterov=True),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        ["accuracy"],
    )
    model.fit(
        dataset("/data/textures/train-*.tfrecord", True),
        validation_data=dataset("/data/textures/valid-*.tfrecord", False),
        epochs=60,
    )
