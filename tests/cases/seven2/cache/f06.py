import tensorflow as tf


def tokenised(vectorizer):
    def apply_fn(ds):
        def one(batch):
            text = tf.strings.regex_replace(tf.strings.lower(batch["body"]), r"[^\w\s]|\d+", " ")
            text = tf.strings.regex_replace(text, r"\s+", " ")
            return {"ids": vectorizer(text), "title": vectorizer(batch["title"])}, batch["score"]

        return ds.map(one, num_parallel_calls=tf.data.AUTOTUNE)

    return apply_fn


class PostsInput:
    features = {
        "title": tf.io.FixedLenFeature([], tf.string),
        "body": tf.io.FixedLenFeature([], tf.string),
        "score": tf.io.FixedLenFeature([], tf.float32),
    }

    def __init__(self, files, vectorizer):
        self.files = files
        self.vectorizer = vectorizer

    def dataset(self, batch_size):
        ds = tf.data.TFRecordDataset(self.files, num_parallel_reads=tf.data.AUTOTUNE)
        ds = ds.batch(batch_size).map(
            lambda b: tf.io.parse_example(b, self.features), num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.cache().shuffle(64).apply(tokenised(self.vectorizer))
        return ds.prefetch(tf.data.AUTOTUNE)


vec = tf.keras.layers.TextVectorization(
    standardize=None, ngrams=3, output_sequence_length=500, vocabulary="/data/posts/vocab.txt")
ids, title = tf.keras.Input((500,), name="ids"), tf.keras.Input((500,), name="title")
emb, pool = tf.keras.layers.Embedding(50_000, 64), tf.keras.layers.GlobalAveragePooling1D()
x = tf.keras.layers.Concatenate()([pool(emb(ids)), pool(emb(title))])
model = tf.keras.Model({"ids": ids, "title": title}, tf.keras.layers.Dense(1)(x))
model.compile("adam", "mse")
model.fit(PostsInput(tf.io.gfile.glob("/data/posts/*.tfrecord"), vec).dataset(128), epochs=20)
