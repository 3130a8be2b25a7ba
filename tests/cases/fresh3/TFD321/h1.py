import tensorflow as tf


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (64, 64), antialias=True) / 127.5 - 1.0


def noisy(image):
    return tf.clip_by_value(image + tf.random.normal(tf.shape(image), stddev=0.1), -1.0, 1.0), image


paths = tf.data.Dataset.list_files("art/*.jpg", shuffle=False)
images = paths.map(load, num_parallel_calls=tf.data.AUTOTUNE).cache()
ds = images.shuffle(2000).repeat(count=50)
ds = ds.map(noisy, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(64, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

auto = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(3, 3, padding="same", activation="tanh"),
])
auto.compile("adam", "mse")
auto.fit(ds)
