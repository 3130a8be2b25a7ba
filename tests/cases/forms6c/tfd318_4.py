import tensorflow as tf

NUMERIC = ["age", "income", "balance", "tenure"]
CATEGORICAL = {"region": 50, "product": 1200}
FEATURES = {
    "label": tf.io.FixedLenFeature([], tf.int64),
    **{name: tf.io.FixedLenFeature([1], tf.float32) for name in NUMERIC},
    **{name: tf.io.FixedLenFeature([1], tf.int64) for name in CATEGORICAL},
}


class ChurnInput:
    def __init__(self, pattern, batch_size=2048):
        self.pattern = pattern
        self.batch_size = batch_size

    def _parse(self, serialized):
        parsed = tf.io.parse_example(serialized, FEATURES)
        label = parsed.pop("label")
        return parsed, label

    def __call__(self):
        ds = tf.data.Dataset.list_files(self.pattern, shuffle=True)
        ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE,
                           deterministic=False)
        ds = ds.shuffle(100_000).batch(self.batch_size, drop_remainder=True)
        ds = ds.map(self._parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


def build_model():
    inputs = {name: tf.keras.Input((1,), name=name) for name in NUMERIC}
    parts = list(inputs.values())
    for name, size in CATEGORICAL.items():
        inputs[name] = tf.keras.Input((1,), name=name, dtype="int64")
        embedded = tf.keras.layers.Embedding(size, 16)(inputs[name])
        parts.append(tf.keras.layers.Flatten()(embedded))
    x = tf.keras.layers.Concatenate()(parts)
    x = tf.keras.layers.Dense(256, activation="relu")(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1)(x))


if __name__ == "__main__":
    model = build_model()
    model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True))
    model.fit(ChurnInput("/data/churn/train-*.tfrecord")(), epochs=10)
