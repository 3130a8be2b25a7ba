import tensorflow as tf

CLEAN = [("<[^>]+>", " "), (r"https?://\S+", " "), ("[^a-z0-9' ]", " "), (" +", " ")]
vectorizer = tf.keras.layers.TextVectorization(
    standardize=None, ngrams=2, output_sequence_length=400, vocabulary="/data/forum/vocab.txt")


def raw_lines(pattern):
    ds = tf.data.TextLineDataset(tf.io.gfile.glob(pattern), num_parallel_reads=tf.data.AUTOTUNE)
    return ds.batch(256).cache()


def featurize(lines):
    label, text = tf.io.decode_csv(lines, [[0], [""]], field_delim="\t", use_quote_delim=False)
    text = tf.strings.lower(text)
    for pattern, repl in CLEAN:
        text = tf.strings.regex_replace(text, pattern, repl)
    return vectorizer(text), label


def training_data():
    lines = raw_lines("/data/forum/train-*.tsv")
    examples = lines.map(featurize, num_parallel_calls=tf.data.AUTOTUNE)
    return examples.shuffle(100).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Embedding(vectorizer.vocabulary_size(), 64),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(training_data(), epochs=15)
