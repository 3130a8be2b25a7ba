import tensorflow as tf


def configure(ds, shuffle=False, cache=False, buffer=10000, batch=32):
    if shuffle:
        ds = ds.shuffle(buffer)
    if cache:
        ds = ds.cache()
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


def load(split):
    text = tf.io.gfile.glob(f"reviews/{split}/*.txt")
    labels = [int("pos" in t) for t in text]
    ds = tf.data.Dataset.from_tensor_slices((text, labels))
    return ds.map(lambda f, y: (tf.io.read_file(f), y), num_parallel_calls=tf.data.AUTOTUNE)


train_ds = configure(load("train"), shuffle=True, cache=True)
test_ds = configure(load("test"))

vectorize = tf.keras.layers.TextVectorization(20000, output_sequence_length=250)
vectorize.adapt(train_ds.map(lambda x, y: x, num_parallel_calls=tf.data.AUTOTUNE))
model = tf.keras.Sequential([
    tf.keras.Input((1,), dtype=tf.string),
    vectorize,
    tf.keras.layers.Embedding(20000, 64),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(train_ds, validation_data=test_ds, epochs=10)
