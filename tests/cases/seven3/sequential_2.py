import tensorflow as tf


class CtrInput:
    """Sharded click logs -> batches of (features, clicked)."""

    numeric = [f"i{n}" for n in range(1, 14)]
    categorical = [f"c{n}" for n in range(1, 27)]

    def __init__(self, files, batch_size=4096, readers=32):
        self.files = files
        self.batch_size = batch_size
        self.readers = readers
        self.spec = {name: tf.io.FixedLenFeature([], tf.float32, 0.0) for name in self.numeric}
        self.spec.update({name: tf.io.FixedLenFeature([], tf.int64, 0) for name in self.categorical})
        self.spec["clicked"] = tf.io.FixedLenFeature([], tf.float32)

    def _open(self, filename):
        return tf.data.TFRecordDataset(filename, compression_type="GZIP", buffer_size=8 << 20)

    def _decode(self, serialized):
        features = tf.io.parse_example(serialized, self.spec)
        return features, features.pop("clicked")

    def __call__(self, training):
        names = tf.data.Dataset.from_tensor_slices(self.files)
        if training:
            names = names.shuffle(len(self.files))
        logs = names.interleave(self._open, cycle_length=self.readers, block_length=16)
        if training:
            logs = logs.shuffle(1_000_000)
        batches = logs.batch(self.batch_size, drop_remainder=training)
        return batches.map(self._decode, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def wide_and_deep():
    inputs, parts = {}, []
    for name in CtrInput.numeric:
        inputs[name] = tf.keras.Input((1,), name=name)
        parts.append(inputs[name])
    for name in CtrInput.categorical:
        inputs[name] = tf.keras.Input((1,), name=name, dtype="int64")
        hashed = tf.keras.layers.Hashing(100_000)(inputs[name])
        parts.append(tf.keras.layers.Flatten()(tf.keras.layers.Embedding(100_000, 16)(hashed)))
    x = tf.keras.layers.Concatenate()(parts)
    for units in (512, 256, 128):
        x = tf.keras.layers.Dense(units, activation="relu")(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1, activation="sigmoid")(x))


model = wide_and_deep()
model.compile("adagrad", "binary_crossentropy", metrics=[tf.keras.metrics.AUC()])
model.fit(CtrInput(tf.io.gfile.glob("gs://ads/criteo/train-*.gz"))(True),
          validation_data=CtrInput(tf.io.gfile.glob("gs://ads/criteo/eval-*.gz"))(False), epochs=3)
