import tensorflow as tf

SPEC = {"left": tf.io.FixedLenFeature([], tf.string), "right": tf.io.FixedLenFeature([], tf.string)}


def parse(record):
    ex = tf.io.parse_single_example(record, SPEC)
    left = tf.io.decode_png(ex["left"], channels=3)
    right = tf.io.decode_png(ex["right"], channels=3)
    return {"left": tf.image.resize(left, (96, 96)) / 255.0, "right": tf.image.resize(right, (96, 96)) / 255.0}


def only(ds, key):
    return ds.map(lambda d: d[key], num_parallel_calls=tf.data.AUTOTUNE)


def stereo(files):
    pairs = tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    both = tf.data.Dataset.zip((only(pairs, "left"), only(pairs, "right")))
    return both.shuffle(500).batch(16).prefetch(tf.data.AUTOTUNE)


net = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(3, 3, padding="same", activation="sigmoid"),
])
net.compile("adam", "mse")
net.fit(stereo(sorted(tf.io.gfile.glob("stereo-*.rec"))), epochs=8)
