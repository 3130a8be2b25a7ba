"""Product category classifier with mixed precision."""
from dataclasses import dataclass

import tensorflow as tf
from tensorflow import keras


@dataclass
class Settings:
    root: str = "/data/products"
    side: int = 224
    batch: int = 256
    classes: int = 512
    fp16: bool = True
    epochs: int = 12


def setup_hardware(s):
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
    if s.fp16:
        keras.mixed_precision.set_global_policy("mixed_float16")


def build(s):
    trunk = keras.applications.ResNet50V2(include_top=False, weights=None, pooling="avg",
                                          input_shape=(s.side, s.side, 3))
    logits = keras.layers.Dense(s.classes, dtype="float32")(trunk.output)
    return keras.Model(trunk.input, logits)


def load(s, split, training):
    def parse(rec):
        ex = tf.io.parse_single_example(rec, {"img": tf.io.FixedLenFeature([], tf.string),
                                              "cat": tf.io.FixedLenFeature([], tf.int64)})
        img = tf.image.resize(tf.io.decode_jpeg(ex["img"], channels=3), (s.side, s.side))
        return img / 127.5 - 1.0, ex["cat"]

    ds = tf.data.Dataset.list_files(f"{s.root}/{split}-*.tfrecord", shuffle=training)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE,
                       deterministic=not training)
    if training:
        ds = ds.shuffle(8192)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(s.batch, drop_remainder=training).prefetch(tf.data.AUTOTUNE)


def main():
    s = Settings()
    model = build(s)
    setup_hardware(s)
    model.compile(keras.optimizers.Adam(1e-3),
                  keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    model.fit(load(s, "train", True), validation_data=load(s, "val", False), epochs=s.epochs)


if __name__ == "__main__":
    main()
