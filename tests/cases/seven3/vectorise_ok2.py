import tensorflow as tf

VOCAB = "/data/ner/words.txt"
TAGS = "/data/ner/tags.txt"
MAX_TOKENS = 200


def table(filename):
    return tf.lookup.StaticVocabularyTable(
        tf.lookup.TextFileInitializer(filename, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE,
                                      tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER), 1)


words, tags = table(VOCAB), table(TAGS)


def encode(line):
    pairs = tf.strings.split(line, " ")[:MAX_TOKENS]
    cells = tf.strings.split(pairs, "|").to_tensor(shape=(None, 2))
    return words.lookup(cells[:, 0]) + 1, tags.lookup(cells[:, 1])


ds = tf.data.Dataset.list_files("/data/ner/train-*.txt")
ds = ds.interleave(tf.data.TextLineDataset, cycle_length=4, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(10_000)
ds = ds.map(encode, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.bucket_by_sequence_length(lambda ids, _: tf.shape(ids)[0], [16, 32, 64, 128], [256, 128, 64, 32, 16])
ds = ds.prefetch(tf.data.AUTOTUNE)

n_words, n_tags = int(words.size()) + 1, int(tags.size())
model = tf.keras.Sequential([
    tf.keras.layers.Embedding(n_words, 128, mask_zero=True),
    tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(128, return_sequences=True)),
    tf.keras.layers.Dense(n_tags, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=12)
