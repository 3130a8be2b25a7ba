import tensorflow as tf
import keras


def read_pair(path):
    return tf.io.read_file(path), tf.io.read_file(tf.strings.regex_replace(path, "/rgb/", "/depth/"))


def decode_pair(rgb, depth):
    rgb = tf.image.resize(tf.io.decode_png(rgb, channels=3), (240, 320)) / 255.0
    depth = tf.image.resize(tf.io.decode_png(depth, channels=1, dtype=tf.uint16), (240, 320))
    return rgb, tf.math.log1p(depth)


def nyu(pattern, batch_size=8):
    return (
        tf.data.Dataset.list_files(pattern)
        .map(read_pair, num_parallel_calls=tf.data.AUTOTUNE)
        .cache()
        .shuffle(800)
        .map(decode_pair, num_parallel_calls=tf.data.AUTOTUNE)
        .batch(batch_size, drop_remainder=True)
        .prefetch(tf.data.AUTOTUNE)
    )


net = keras.Sequential([
    keras.layers.Conv2D(64, 3, padding="same", activation="relu"),
    keras.layers.Conv2D(64, 3, padding="same", activation="relu"),
    keras.layers.Conv2D(1, 1),
])
net.compile("adam", "mae")
net.fit(nyu("/data/nyu/rgb/*.png"), epochs=100)
