import tensorflow as tf


class Segments:
    def __init__(self, signal, labels, length=128):
        self.length = length
        self.source = tf.data.Dataset.from_tensor_slices((signal, labels))

    def to_example(self, signal, labels):
        segment = tf.reshape(signal, [self.length, 1])
        return segment, tf.reduce_max(labels)

    def dataset(self, batch_size=32):
        windows = self.source.window(self.length, shift=self.length // 2, drop_remainder=True)
        examples = windows.map(self.to_example, num_parallel_calls=tf.data.AUTOTUNE)
        return examples.shuffle(500).batch(batch_size).prefetch(tf.data.AUTOTUNE)


signal = tf.random.normal([50_000], seed=6)
labels = tf.cast(signal > 2.5, tf.int32)

model = tf.keras.Sequential([
    tf.keras.Input((128, 1)),
    tf.keras.layers.Conv1D(16, 5, activation="relu"),
    tf.keras.layers.GlobalMaxPooling1D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(Segments(signal, labels).dataset(), epochs=5)
