import tensorflow as tf

DENSE = [f"I{i}" for i in range(1, 14)]
SPARSE = [f"C{i}" for i in range(1, 27)]
DEFAULTS = [[0]] + [[0.0]] * len(DENSE) + [[""]] * len(SPARSE)


class CriteoInput:
    """Criteo display advertising, TSV shards."""

    def __init__(self, pattern, hash_size=100_000, batch_size=4096):
        self.pattern = pattern
        self.hash_size = hash_size
        self.batch_size = batch_size

    def encode(self, features, label):
        out = {}
        for name in DENSE:
            out[name] = tf.math.log1p(tf.maximum(features[name], 0.0))
        for name in SPARSE:
            out[name] = tf.strings.to_hash_bucket_fast(features[name], self.hash_size)
        return out, tf.cast(label, tf.float32)

    @staticmethod
    def parse(line):
        label, *columns = tf.io.decode_csv(line, DEFAULTS, field_delim="\t")
        return dict(zip(DENSE + SPARSE, columns)), label

    def __call__(self):
        files = tf.data.Dataset.list_files(self.pattern)
        ds = files.interleave(tf.data.TextLineDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(1_000_000)
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self.encode, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)


def wide_and_deep(hash_size):
    inputs = {n: tf.keras.Input((), name=n) for n in DENSE}
    inputs.update({n: tf.keras.Input((), name=n, dtype=tf.int64) for n in SPARSE})
    dense = [tf.keras.layers.Reshape((1,))(inputs[n]) for n in DENSE]
    embedded = [tf.keras.layers.Embedding(hash_size, 16)(inputs[n]) for n in SPARSE]
    x = tf.keras.layers.Concatenate()(dense + embedded)
    for units in (400, 400):
        x = tf.keras.layers.Dense(units, activation="relu")(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1, activation="sigmoid")(x))


if __name__ == "__main__":
    data = CriteoInput("/data/criteo/day_*.tsv")
    model = wide_and_deep(data.hash_size)
    model.compile("adagrad", "binary_crossentropy", [tf.keras.metrics.AUC()])
    model.fit(data(), epochs=1)
