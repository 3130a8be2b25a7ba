import dataclasses

import tensorflow as tf


@dataclasses.dataclass(frozen=True)
class Config:
    pattern: str = "/data/paintings/*/*.jpg"
    side: int = 256
    batch_size: int = 16


def load(path, side):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (side, side), preserve_aspect_ratio=True)
    return image / 255.0, tf.cast(tf.strings.split(path, "/")[-2] == "oil", tf.float32)


def finish(ds, config):
    return ds.batch(config.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def build(config):
    ds = tf.data.Dataset.list_files(config.pattern)
    ds = ds.map(lambda p: load(p, config.side), num_parallel_calls=tf.data.AUTOTUNE)
    return finish(ds, config)


model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(build(Config()), epochs=10)
