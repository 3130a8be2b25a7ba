import functools

import tensorflow as tf

SPEC = {
    "price": tf.io.FixedLenFeature([], tf.float32),
    "volume": tf.io.FixedLenFeature([], tf.float32),
}


def rolling(ds, size, shift=1):
    return ds.window(size, shift=shift, drop_remainder=True)


def summarize(w):
    price = w["price"]
    mean = tf.reduce_mean(price)
    spread = tf.reduce_max(price) - tf.reduce_min(price)
    return tf.stack([mean, spread, tf.reduce_sum(w["volume"])])


def load(files, size=64, batch=512):
    ds = tf.data.TFRecordDataset(files, compression_type="ZLIB")
    ds = ds.map(lambda r: tf.io.parse_single_example(r, SPEC), num_parallel_calls=8)
    ds = ds.apply(functools.partial(rolling, size=size + 1))
    ds = ds.map(summarize, num_parallel_calls=8)
    ds = tf.data.Dataset.zip((ds, ds.skip(1).map(lambda s: s[0])))
    return ds.shuffle(50_000).batch(batch).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    train = load(sorted(tf.io.gfile.glob("/data/ticks/2023-*.tfrecord.z")))
    model = tf.keras.Sequential([
        tf.keras.layers.Input((3,)),
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", "huber")
    model.fit(train, epochs=10)
