import glob

import tensorflow as tf

VIEWS = 8
CROP = 256
FILES = glob.glob("/data/satellite/tiles/*.png")


def several(path):
    return tf.data.Dataset.from_tensors(path).repeat(VIEWS)


def open_tile(path):
    raw = tf.io.read_file(path)
    img = tf.io.decode_png(raw, channels=4)
    img = tf.image.convert_image_dtype(img, tf.float32)
    label = tf.strings.to_number(tf.strings.split(path, "_")[-2], tf.int32)
    return tf.ensure_shape(img, (2048, 2048, 4)), label


def crop(img, label):
    return tf.image.random_crop(img, (CROP, CROP, 4)), label


def tiles(batch):
    ds = tf.data.Dataset.from_tensor_slices(FILES).shuffle(len(FILES))
    ds = ds.flat_map(several)
    ds = ds.map(open_tile, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(crop, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(512)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def land_cover():
    inp = tf.keras.Input((CROP, CROP, 4))
    x = inp
    for w in (32, 64, 128, 256):
        x = tf.keras.layers.Conv2D(w, 3, strides=2, activation="relu")(x)
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(21)(x))


model = land_cover()
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
model.fit(tiles(32), epochs=40)
