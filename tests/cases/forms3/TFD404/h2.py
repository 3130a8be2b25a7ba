import numpy as np
import tensorflow as tf


def get_partitions(ds, size, train=0.8, buffer=10000):
    n_train = int(train * size)
    train_ds = ds.take(n_train).shuffle(buffer, seed=12)
    val_ds = ds.skip(n_train)
    return train_ds, val_ds


arrays = np.load("corpus.npz")
order = np.random.default_rng(3).permutation(len(arrays["label"]))
source = tf.data.Dataset.from_tensor_slices((arrays["ids"][order], arrays["label"][order]))
train, val = [p.batch(128).prefetch(tf.data.AUTOTUNE) for p in get_partitions(source, len(order))]
model = tf.keras.Sequential([
    tf.keras.layers.Embedding(20000, 64),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(2, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, validation_data=val, epochs=20)
