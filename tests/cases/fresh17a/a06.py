import tensorflow as tf
import tensorflow_datasets as tfds

SIDE = 128


def normalize(example):
    image = tf.image.resize(example["image"], (SIDE, SIDE)) / 255.0
    mask = tf.image.resize(example["segmentation_mask"], (SIDE, SIDE))
    return image, tf.cast(mask, tf.int32) - 1


def pets(split, training):
    ds = tfds.load("oxford_iiit_pet", split=split, shuffle_files=training)
    ds = ds.map(normalize, num_parallel_calls=tf.data.AUTOTUNE)
    if training:
        ds = ds.cache().shuffle(1000)
    return ds.batch(32).prefetch(tf.data.AUTOTUNE)


def unet():
    inp = tf.keras.Input((SIDE, SIDE, 3))
    a = tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu")(inp)
    b = tf.keras.layers.Conv2D(64, 3, strides=2, padding="same", activation="relu")(a)
    c = tf.keras.layers.Conv2D(128, 3, strides=2, padding="same", activation="relu")(b)
    x = tf.keras.layers.Conv2DTranspose(64, 3, strides=2, padding="same", activation="relu")(c)
    x = tf.keras.layers.Concatenate()([x, b])
    x = tf.keras.layers.Conv2DTranspose(32, 3, strides=2, padding="same", activation="relu")(x)
    x = tf.keras.layers.Concatenate()([x, a])
    return tf.keras.Model(inp, tf.keras.layers.Conv2D(3, 1)(x))


model = unet()
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
model.fit(pets("train", True), validation_data=pets("test", False), epochs=20)
