import tensorflow as tf

BATCHING = {"batch_size": 96, "drop_remainder": True}

arrays = dict(zip(("train", "test"), tf.keras.datasets.imdb.load_data(num_words=8000)))
pipelines = {}
for name, (sequences, labels) in arrays.items():
    padded = tf.keras.utils.pad_sequences(sequences, maxlen=200)
    ds = tf.data.Dataset.from_tensor_slices((padded, labels))
    if name == "train":
        ds = ds.shuffle(25_000)
    pipelines[name] = ds.batch(**BATCHING).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Embedding(8000, 16),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(pipelines["train"], epochs=5)
print(model.evaluate(pipelines["test"]))
