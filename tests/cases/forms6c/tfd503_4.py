import keras
import tensorflow as tf

CONFIG = {
    "epochs": 90,
    "batch_size": 256,
    "callbacks": {
        "checkpoint": {"filepath": "/ckpt/best.keras", "save_best_only": True},
        "tensorboard": {"log_dir": "/logs/resnet", "profile_batch": (200, 208)},
    },
}
CALLBACKS = {
    "checkpoint": keras.callbacks.ModelCheckpoint,
    "tensorboard": keras.callbacks.TensorBoard,
}


def make_callbacks(spec):
    return [CALLBACKS[name](**options) for name, options in spec.items()]


def decode(record):
    parsed = tf.io.parse_single_example(record, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64),
    })
    image = tf.io.decode_jpeg(parsed["image"], channels=3)
    return tf.image.resize(image, [224, 224]) / 255.0, parsed["label"]


def dataset(pattern, training):
    ds = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    if training:
        ds = ds.shuffle(10_000)
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(CONFIG["batch_size"], drop_remainder=training)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    model = keras.applications.ResNet50(weights=None)
    model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(dataset("/imagenet/train-*", True),
              validation_data=dataset("/imagenet/validation-*", False),
              epochs=CONFIG["epochs"], callbacks=make_callbacks(CONFIG["callbacks"]))


if __name__ == "__main__":
    main()
