import tensorflow as tf

COLUMNS = [[0.0]] * 12 + [[0.0]]


def open_csv(path):
    return tf.data.TextLineDataset(path).skip(1)


def to_xy(lines):
    cols = tf.io.decode_csv(lines, COLUMNS)
    return tf.stack(cols[:-1], axis=1), cols[-1]


def csv_reader_dataset(pattern, n_readers=5, batch_size=256):
    dataset = tf.data.Dataset.list_files(pattern, seed=42)
    dataset = dataset.interleave(open_csv, cycle_length=n_readers)
    dataset = dataset.shuffle(10_000, seed=42)
    dataset = dataset.batch(batch_size)
    dataset = dataset.map(to_xy, num_parallel_calls=tf.data.AUTOTUNE)
    return dataset.prefetch(tf.data.AUTOTUNE)


train_set = csv_reader_dataset("/data/housing/train_*.csv")
valid_set = csv_reader_dataset("/data/housing/valid_*.csv")

norm = tf.keras.layers.Normalization()
norm.adapt(valid_set.map(lambda x, _: x, num_parallel_calls=tf.data.AUTOTUNE))
model = tf.keras.Sequential([norm, tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(train_set, validation_data=valid_set, epochs=20)
