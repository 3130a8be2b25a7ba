import tensorflow as tf
from einops import rearrange
from tensorflow.keras import layers

FIRST = "channels_first"


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (128, 128)) / 255.0
    image = rearrange(image, "h w c -> c h w")
    label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
    return image, label


ds = (
    tf.data.Dataset.list_files("/data/minerals/*/*.jpg")
    .map(load, num_parallel_calls=tf.data.AUTOTUNE)
    .batch(64, drop_remainder=True)
    .prefetch(tf.data.AUTOTUNE)
)

convs = [layers.Conv2D(w, 3, strides=2, activation="relu", data_format=FIRST) for w in (32, 64, 128)]
model = tf.keras.Sequential(
    [layers.Input((3, 128, 128)), *convs, layers.GlobalAveragePooling2D(data_format=FIRST), layers.Dense(12)]
)
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=12)
