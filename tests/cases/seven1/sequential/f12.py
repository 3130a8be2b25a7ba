import tensorflow as tf


def read(path):
    return tf.io.decode_jpeg(tf.io.read_file(path), channels=3)


def resize(img):
    return tf.image.resize(img, (128, 128), antialias=True)


def grey(img):
    return tf.image.rgb_to_grayscale(img) / 255.0


def pair(img):
    noisy = img + tf.random.normal(tf.shape(img), stddev=0.1)
    return noisy, img


ds = tf.data.Dataset.list_files("/data/photos/*.jpg")
for fn in (read, resize, grey, pair):
    ds = ds.map(fn)
ds = ds.shuffle(512).batch(16).prefetch(tf.data.AUTOTUNE)

denoiser = tf.keras.Sequential([
    tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(1, 3, padding="same"),
])
denoiser.compile("adam", "mse")
denoiser.fit(ds, epochs=50)
