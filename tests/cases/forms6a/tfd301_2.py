import tensorflow as tf
import tensorflow_datasets as tfds

CONFIG = {
    "name": "cars196",
    "size": 128,
    "batch_size": 64,
    "epochs": 60,
    "cache": True,
}


def decode_and_resize(size):
    def fn(example):
        image = tf.io.decode_jpeg(example["image"], channels=3)
        image = tf.image.resize(image, [size, size], antialias=True)
        return tf.cast(image, tf.uint8), example["label"]
    return fn


def scale(image, label):
    return tf.cast(image, tf.float32) / 255.0, label


def pipeline(ds, cfg, training):
    steps = []
    if cfg["cache"]:
        steps.append(lambda d: d.cache())
    if training:
        steps.append(lambda d: d.shuffle(8_144))
    steps.append(lambda d: d.map(
        decode_and_resize(cfg["size"]), num_parallel_calls=tf.data.AUTOTUNE))
    steps.append(lambda d: d.batch(cfg["batch_size"]))
    steps.append(lambda d: d.map(scale, num_parallel_calls=tf.data.AUTOTUNE))
    steps.append(lambda d: d.prefetch(tf.data.AUTOTUNE))
    for step in steps:
        ds = step(ds)
    return ds


def main(cfg=CONFIG):
    raw = tfds.load(cfg["name"], decoders={"image": tfds.decode.SkipDecoding()})
    train = pipeline(raw["train"], cfg, training=True)
    test = pipeline(raw["test"], cfg, training=False)
    model = tf.keras.applications.MobileNetV2(
        input_shape=(cfg["size"], cfg["size"], 3), weights=None, classes=196)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, validation_data=test, epochs=cfg["epochs"])


if __name__ == "__main__":
    main()
