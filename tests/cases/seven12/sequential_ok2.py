import tensorflow as tf


def sharded(make_reader, cycle=16, calls=tf.data.AUTOTUNE):
    def apply_fn(files):
        return files.interleave(make_reader, cycle, 1, calls)
    return apply_fn


def reader(path):
    return tf.data.TFRecordDataset(path, buffer_size=4 << 20)


def decode(raw):
    ex = tf.io.parse_example(raw, {
        "x": tf.io.FixedLenFeature([128], tf.float32),
        "y": tf.io.FixedLenFeature([], tf.int64),
    })
    return ex["x"], ex["y"]


def make_dataset(pattern):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.apply(sharded(reader)).shuffle(100_000).batch(1024)
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    model = tf.keras.Sequential([
        tf.keras.Input((128,)),
        tf.keras.layers.Dense(512, activation="relu"),
        tf.keras.layers.Dense(100, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(make_dataset("/data/embeddings/part-*.tfrecord"), epochs=10)
