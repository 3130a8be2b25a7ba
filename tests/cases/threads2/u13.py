import os

import numpy as np
import tensorflow as tf
from sklearn.datasets import fetch_california_housing
from sklearn.model_selection import train_test_split

N_INPUTS = 8
BATCH_SIZE = 32

housing = fetch_california_housing()
X_full, X_test, y_full, y_test = train_test_split(
    housing.data, housing.target, random_state=42)
X_train, X_valid, y_train, y_valid = train_test_split(X_full, y_full, random_state=42)
X_mean = X_train.mean(axis=0).astype("float32")
X_std = X_train.std(axis=0).astype("float32")


def save_parts(x, y, prefix, n_parts=10):
    os.makedirs("housing", exist_ok=True)
    paths = []
    for i, rows in enumerate(np.array_split(np.c_[x, y], n_parts)):
        path = os.path.join("housing", f"{prefix}_{i:02d}.csv")
        np.savetxt(path, rows, delimiter=",", header="h")
        paths.append(path)
    return paths


@tf.function
def preprocess(line):
    defs = [0.0] * N_INPUTS + [tf.constant([], dtype=tf.float32)]
    fields = tf.io.decode_csv(line, record_defaults=defs)
    return (tf.stack(fields[:-1]) - X_mean) / X_std, tf.stack(fields[-1:])


def csv_reader_dataset(filepaths, n_readers=5, n_read_threads=None,
                       shuffle_buffer_size=20000, n_parse_threads=5):
    dataset = tf.data.Dataset.list_files(filepaths)
    dataset = dataset.interleave(
        lambda path: tf.data.TextLineDataset(path).skip(1),
        cycle_length=n_readers, num_parallel_calls=n_read_threads)
    dataset = dataset.shuffle(shuffle_buffer_size)
    dataset = dataset.map(preprocess, num_parallel_calls=n_parse_threads)
    dataset = dataset.batch(BATCH_SIZE)
    return dataset.prefetch(1)


train_set = csv_reader_dataset(save_parts(X_train, y_train, "train"))
valid_set = csv_reader_dataset(save_parts(X_valid, y_valid, "valid"))

model = tf.keras.Sequential([
    tf.keras.Input((N_INPUTS,)),
    tf.keras.layers.Dense(30, activation="relu"),
    tf.keras.layers.Dense(1),
])
model.compile(loss="mse", optimizer=tf.keras.optimizers.SGD(learning_rate=1e-3))
model.fit(train_set, steps_per_epoch=len(X_train) // BATCH_SIZE, epochs=10,
          validation_data=valid_set)
