import glob

import tensorflow as tf

VIEWS = 6
CROP = 224
FILES = glob.glob("/data/maps/sheets/*.png")


def open_sheet(path):
    img = tf.io.decode_png(tf.io.read_file(path), channels=3)
    img = tf.ensure_shape(tf.image.convert_image_dtype(img, tf.float32), (1800, 1800, 3))
    century = tf.strings.to_number(tf.strings.split(path, "_")[-2], tf.int32) - 15
    return img, century


def several(img, century):
    return tf.data.Dataset.from_tensors((img, century)).repeat(VIEWS)


def crop(img, century):
    return tf.image.random_crop(img, (CROP, CROP, 3)), century


def sheets(batch):
    ds = tf.data.Dataset.from_tensor_slices(FILES).shuffle(len(FILES))
    ds = ds.map(open_sheet, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.flat_map(several)
    ds = ds.map(crop, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(1024)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def dating_model():
    inp = tf.keras.Input((CROP, CROP, 3))
    x = inp
    for w in (32, 64, 128):
        x = tf.keras.layers.Conv2D(w, 5, strides=2, activation="relu")(x)
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(5)(x))


model = dating_model()
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
model.fit(sheets(48), epochs=25)
