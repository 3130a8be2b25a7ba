import tensorflow as tf
import tensorflow_datasets as tfds

BUFFER_SIZE = 10000
EMBEDDING_DIM = 64
NUM_EPOCHS = 10

imdb, info = tfds.load("imdb_reviews/subwords8k", with_info=True, as_supervised=True)
train_data, test_data = imdb["train"], imdb["test"]

tokenizer = info.features["text"].encoder
print(tokenizer.subwords[:20])

sample = "TensorFlow, from basics to mastery"
encoded = tokenizer.encode(sample)
print("encoded:", encoded)
print("decoded:", tokenizer.decode(encoded))

train_data = train_data.shuffle(BUFFER_SIZE)

model = tf.keras.Sequential([
    tf.keras.layers.Embedding(tokenizer.vocab_size, EMBEDDING_DIM),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(6, activation="relu"),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.summary()
model.compile(loss="binary_crossentropy", optimizer="adam", metrics=["accuracy"])

history = model.fit(train_data, epochs=NUM_EPOCHS, validation_data=test_data)

for name in ("accuracy", "loss"):
    print(name, history.history[name], history.history["val_" + name])
