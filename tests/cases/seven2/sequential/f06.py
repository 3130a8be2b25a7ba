import tensorflow as tf
import keras

CATEGORICAL = ["carrier", "origin", "dest"]


def flights(pattern, batch_size, shuffle):
    return tf.data.experimental.make_csv_dataset(
        pattern,
        batch_size,
        select_columns=CATEGORICAL + ["delay"],
        label_name="delay",
        num_epochs=1,
        shuffle=shuffle,
        prefetch_buffer_size=tf.data.AUTOTUNE,
    )


def model_fn():
    inputs = {c: keras.Input((1,), dtype="string", name=c) for c in CATEGORICAL}
    parts = []
    for c, t in inputs.items():
        ids = keras.layers.Hashing(num_bins=1000)(t)
        parts.append(keras.layers.Flatten()(keras.layers.Embedding(1000, 8)(ids)))
    x = keras.layers.Dense(64, activation="relu")(keras.layers.Concatenate()(parts))
    return keras.Model(inputs, keras.layers.Dense(1)(x))


net = model_fn()
net.compile("adam", "mae")
net.fit(flights("/data/flights/20*.csv", 1024, True), epochs=5)
