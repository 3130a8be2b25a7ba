import tensorflow as tf

VOCABULARY = 12_000
LENGTH = 120

(x_train, y_train), _ = tf.keras.datasets.imdb.load_data(num_words=VOCABULARY)
x_train = tf.keras.utils.pad_sequences(x_train, maxlen=LENGTH)

reviews = tf.data.Dataset.from_tensor_slices((x_train, y_train))
reviews = reviews.shuffle(25_000).batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Embedding(VOCABULARY, 32),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
sample, _ = next(reviews)
print(model(sample).shape)
model.summary()

model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(reviews, epochs=3)
