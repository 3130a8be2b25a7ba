import tensorflow as tf


class TextSet:
    def __init__(self, path, batch_size=16):
        self.rows = [line.rstrip("\n").split("\t") for line in open(path, encoding="utf-8")]
        self.batch_size = batch_size

    def _examples(self):
        for tag, text in self.rows:
            yield [ord(c) % 128 for c in text], int(tag)

    def _batches(self):
        ds = tf.data.Dataset.from_generator(
            self._examples,
            output_signature=(tf.TensorSpec((None,), tf.int32), tf.TensorSpec((), tf.int32)),
        )
        return ds.padded_batch(self.batch_size)

    def training(self):
        return self._batches().shuffle(256, reshuffle_each_iteration=True).prefetch(tf.data.AUTOTUNE)

    def evaluation(self):
        return self._batches().prefetch(tf.data.AUTOTUNE)


train = TextSet("train.tsv")
test = TextSet("test.tsv")
model = tf.keras.Sequential([
    tf.keras.layers.Embedding(128, 32),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(4, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train.training(), epochs=5)
model.evaluate(test.evaluation())
