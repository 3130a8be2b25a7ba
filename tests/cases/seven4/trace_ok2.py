import collections

import keras
import tensorflow as tf

AUTO = tf.data.AUTOTUNE
LABELS = ("negative", "neutral", "positive")


def reviews(path, layer, batch, shuffle=0):
    ds = tf.data.TextLineDataset(path)
    if shuffle:
        ds = ds.shuffle(shuffle)

    def split(lines):
        parts = tf.strings.split(lines, "\t", maxsplit=1).to_tensor(shape=(None, 2))
        return layer(parts[:, 1]), tf.strings.to_number(parts[:, 0], tf.int32)

    return ds.batch(batch).map(split, num_parallel_calls=AUTO).prefetch(AUTO)


layer = keras.layers.TextVectorization(output_sequence_length=200, vocabulary="/data/reviews/vocab.txt")
train = reviews("/data/reviews/train.tsv", layer, 128, shuffle=100_000)
test = reviews("/data/reviews/test.tsv", layer, 512)

model = keras.Sequential([
    keras.Input((200,), dtype="int64"),
    keras.layers.Embedding(layer.vocabulary_size(), 128),
    keras.layers.Bidirectional(keras.layers.GRU(128)),
    keras.layers.Dense(len(LABELS)),
])
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
model.fit(train, epochs=8, callbacks=[
    keras.callbacks.TensorBoard("logs/reviews", profile_batch=(100, 120)),
    keras.callbacks.ModelCheckpoint("reviews.keras"),
])

# A confusion table; the profile ended with batch 120 of the first epoch.
table = collections.Counter()
for step, (tokens, truth) in enumerate(test):
    guess = tf.argmax(model(tokens, training=False), axis=-1)
    table.update(zip(truth.numpy().tolist(), guess.numpy().tolist()))
for (truth, guess), count in sorted(table.items()):
    print(f"{LABELS[truth]:>10} {LABELS[guess]:>10} {count}")
