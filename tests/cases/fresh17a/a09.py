import glob

import tensorflow as tf

FILES = sorted(glob.glob("/data/div2k/*.png"))
CROP = 128


def decode(path):
    img = tf.io.decode_png(tf.io.read_file(path), channels=3)
    img = tf.image.convert_image_dtype(img, tf.float32)
    return tf.image.resize_with_crop_or_pad(img, CROP, CROP)


def degrade(img):
    small = tf.image.resize(img, (CROP // 4, CROP // 4), method="bicubic")
    back = tf.image.resize(small, (CROP, CROP), method="bicubic")
    return tf.clip_by_value(back + tf.random.normal(tf.shape(back), stddev=0.03), 0.0, 1.0)


def pairs(files, batch):
    sharp = tf.data.Dataset.from_tensor_slices(files).map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    blurry = sharp.map(degrade, num_parallel_calls=tf.data.AUTOTUNE)
    ds = tf.data.Dataset.zip((blurry, sharp))
    return ds.shuffle(800).batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def restorer():
    inp = tf.keras.Input((CROP, CROP, 3))
    x = tf.keras.layers.Conv2D(64, 3, padding="same")(inp)
    for _ in range(6):
        y = tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu")(x)
        y = tf.keras.layers.Conv2D(64, 3, padding="same")(y)
        x = x + y
    return tf.keras.Model(inp, inp + tf.keras.layers.Conv2D(3, 3, padding="same")(x))


model = restorer()
model.compile(tf.keras.optimizers.Adam(1e-4), "mae")
model.fit(pairs(FILES, 16), epochs=100)
model.save("/models/restore.keras")
