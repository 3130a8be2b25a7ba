import tensorflow as tf

VOCAB_FILE = "/data/wiki/vocab.txt"


def maybe_cache(ds, where):
    match where:
        case "memory":
            return ds.cache()
        case None:
            return ds
        case path:
            return ds.cache(path)


def make_tokenize():
    table = tf.lookup.StaticVocabularyTable(
        tf.lookup.TextFileInitializer(
            VOCAB_FILE, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE,
            tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER),
        num_oov_buckets=1)

    def tokenize(lines):
        text = tf.strings.lower(tf.strings.regex_replace(lines, r"[^\w\s]", " "))
        words = tf.strings.split(tf.strings.regex_replace(text, r"\s+", " "))
        ids = table.lookup(words.flat_values)
        ids = words.with_flat_values(ids).to_tensor(shape=[None, 257])
        return ids[:, :-1], ids[:, 1:]

    return tokenize


def text_dataset(files, *, cache="memory", batch_size=256):
    ds = tf.data.Dataset.from_tensor_slices(files)
    ds = ds.interleave(
        tf.data.TextLineDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = maybe_cache(ds, cache)
    ds = ds.shuffle(50_000).batch(batch_size, drop_remainder=True)
    ds = ds.map(make_tokenize(), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    files = sorted(tf.io.gfile.glob("/data/wiki/text/part-*.txt"))
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(32001, 256),
        tf.keras.layers.LSTM(512, return_sequences=True),
        tf.keras.layers.Dense(32001, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(text_dataset(files), epochs=10)


if __name__ == "__main__":
    main()
