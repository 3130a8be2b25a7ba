import tensorflow as tf

VOCABULARY = 12_000
LENGTH = 120
EPOCHS = 3

(x_train, y_train), _ = tf.keras.datasets.imdb.load_data(num_words=VOCABULARY)
x_train = tf.keras.utils.pad_sequences(x_train, maxlen=LENGTH)

reviews = tf.data.Dataset.from_tensor_slices((x_train, y_train))
reviews = reviews.shuffle(25_000).batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Embedding(VOCABULARY, 32),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
sample, _ = next(iter(reviews))
print(model(sample).shape)

schedule = tf.keras.optimizers.schedules.CosineDecay(1e-3, decay_steps=EPOCHS * len(reviews))
model.compile(tf.keras.optimizers.Adam(schedule), "binary_crossentropy", metrics=["accuracy"])
model.fit(reviews, epochs=EPOCHS, class_weight={0: 1.0, 1: 1.2})
