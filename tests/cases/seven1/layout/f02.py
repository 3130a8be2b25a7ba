import tensorflow as tf
from tensorflow.keras import layers


def decode(path):
    img = tf.io.decode_png(tf.io.read_file(path), channels=3)
    img = tf.image.resize(img, (256, 256)) / 255.0
    mask_path = tf.strings.regex_replace(path, "images", "masks")
    mask = tf.io.decode_png(tf.io.read_file(mask_path), channels=1)
    mask = tf.image.resize(mask, (256, 256), method="nearest")
    return img, tf.cast(mask > 0, tf.float32)


def unet():
    inputs = layers.Input((256, 256, 3))
    x = layers.Permute((3, 1, 2))(inputs)
    a = layers.Conv2D(32, 3, padding="same", activation="relu", data_format="channels_first")(x)
    b = layers.MaxPooling2D(data_format="channels_first")(a)
    b = layers.Conv2D(64, 3, padding="same", activation="relu", data_format="channels_first")(b)
    b = layers.UpSampling2D(data_format="channels_first")(b)
    c = layers.Concatenate(axis=1)([a, b])
    c = layers.Conv2D(1, 1, activation="sigmoid", data_format="channels_first")(c)
    outputs = layers.Permute((2, 3, 1))(c)
    return tf.keras.Model(inputs, outputs)


train = (
    tf.data.Dataset.list_files("/data/cells/images/*.png")
    .map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    .batch(16, drop_remainder=True)
    .prefetch(tf.data.AUTOTUNE)
)
model = unet()
model.compile("adam", "binary_crossentropy")
model.fit(train, epochs=40)
