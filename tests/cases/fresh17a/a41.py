import pandas as pd
import tensorflow as tf

META = pd.read_csv("/data/skin/meta.csv")
SIDE = 300


def decode(path, label, usable):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3, dct_method="INTEGER_ACCURATE")
    img = tf.image.resize(img, (SIDE, SIDE), antialias=True)
    return img / 255.0, label, usable


def keep(img, label, usable):
    return tf.logical_and(usable, label < 7)


def strip(img, label, usable):
    return img, label


def lesions(part):
    rows = META[META["part"] == part]
    paths = ("/data/skin/img/" + rows["id"] + ".jpg").to_numpy(str)
    ds = tf.data.Dataset.from_tensor_slices((paths, rows["dx"].to_numpy("int32"), rows["usable"].to_numpy(bool)))
    if part == "train":
        ds = ds.shuffle(len(rows))
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.filter(keep)
    ds = ds.map(strip)
    return ds.batch(32).prefetch(tf.data.AUTOTUNE)


def network():
    inp = tf.keras.Input((SIDE, SIDE, 3))
    x = inp
    for width in (32, 64, 128, 192):
        x = tf.keras.layers.Conv2D(width, 3, activation="relu")(x)
        x = tf.keras.layers.MaxPooling2D()(x)
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(7)(x))


model = network()
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
model.fit(lesions("train"), validation_data=lesions("val"), epochs=15)
