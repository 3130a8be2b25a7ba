import tensorflow as tf
import tensorflow_datasets as tfds

BUFFER_SIZE = 50000
BATCH_SIZE = 64
TAKE_SIZE = 5000
FILES = [("cowper.txt", 0), ("derby.txt", 1), ("butler.txt", 2)]

tokenizer = tfds.features.text.Tokenizer()
vocabulary = set()
for name, _ in FILES:
    with open(name, encoding="utf-8") as handle:
        for row in handle:
            vocabulary.update(tokenizer.tokenize(row))
encoder = tfds.features.text.TokenTextEncoder(vocabulary)


def encode(text, label):
    return encoder.encode(text.numpy()), label


def encode_map_fn(text, label):
    encoded, label = tf.py_function(encode, inp=[text, label], Tout=(tf.int64, tf.int64))
    encoded.set_shape([None])
    label.set_shape([])
    return encoded, label


def labeled(name, index):
    return tf.data.TextLineDataset(name).map(lambda line: (line, tf.constant(index, tf.int64)))


all_data = labeled(*FILES[0])
for name, index in FILES[1:]:
    all_data = all_data.concatenate(labeled(name, index))
all_data = all_data.shuffle(BUFFER_SIZE, reshuffle_each_iteration=False)
all_data = all_data.map(encode_map_fn, num_parallel_calls=tf.data.experimental.AUTOTUNE)

train_data = all_data.skip(TAKE_SIZE).shuffle(BUFFER_SIZE)
train_data = train_data.padded_batch(BATCH_SIZE)
test_data = all_data.take(TAKE_SIZE)
test_data = test_data.padded_batch(BATCH_SIZE)

model = tf.keras.Sequential([
    tf.keras.layers.Embedding(encoder.vocab_size, 64),
    tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(64)),
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(3, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train_data, epochs=3, validation_data=test_data)
