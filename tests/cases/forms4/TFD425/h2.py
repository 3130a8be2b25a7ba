import tensorflow as tf

SEQUENCE = 50
BATCH_SIZE = 64

text = tf.io.read_file("poems.txt")
characters = tf.strings.unicode_split(text, "UTF-8")
lookup = tf.keras.layers.StringLookup(max_tokens=200)
lookup.adapt(characters)


def shift(chunk):
    return chunk[:-1], chunk[1:]


ids = tf.data.Dataset.from_tensor_slices(lookup(characters))
sequences = ids.batch(SEQUENCE + 1, drop_remainder=True)
ds = sequences.map(shift, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(10_000).batch(BATCH_SIZE, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Embedding(lookup.vocabulary_size(), 64),
    tf.keras.layers.GRU(128, return_sequences=True),
    tf.keras.layers.Dense(lookup.vocabulary_size()),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=20)
