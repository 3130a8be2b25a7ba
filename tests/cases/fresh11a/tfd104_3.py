import tensorflow as tf

WINDOW = 64
STRIDE = 16


def read_series(path):
    lines = tf.data.TextLineDataset(path).skip(1)
    return lines.batch(4096)


def parse(lines):
    cols = tf.io.decode_csv(lines, [[0.0]] * 8)
    return tf.stack(cols, axis=1)


def to_windows(table):
    """All the windows of one table that is in memory."""
    frames = tf.signal.frame(table, WINDOW, STRIDE, axis=0)
    return tf.data.Dataset.from_tensor_slices((frames[:, :-1], frames[:, -1, 0]))


def make_dataset(pattern, batch_size=256):
    files = tf.data.Dataset.list_files(pattern)
    blocks = files.interleave(read_series, cycle_length=tf.data.AUTOTUNE,
                              num_parallel_calls=tf.data.AUTOTUNE)
    blocks = blocks.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    windows = blocks.flat_map(to_windows)
    return (windows.shuffle(50000)
            .batch(batch_size)
            .prefetch(tf.data.AUTOTUNE))


if __name__ == "__main__":
    model = tf.keras.Sequential([
        tf.keras.layers.GRU(128),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", "mse")
    model.fit(make_dataset("/data/sensors/*.csv"), epochs=20)
