import dataclasses

import tensorflow as tf


@dataclasses.dataclass
class Config:
    policy: str = "mixed_bfloat16"
    batch_size: int = 100
    side: int = 224


config = Config()
tf.keras.mixed_precision.set_global_policy(tf.keras.mixed_precision.Policy(config.policy))


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (config.side, config.side)) / 255.0
    return image, tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)


ds = tf.data.Dataset.list_files("/data/signs/*/*.jpg")
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(config.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(48),
    tf.keras.layers.Activation("softmax", dtype="float32"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=10)
