import tensorflow as tf

DIM = 768
RECORD = 4 * (DIM + 1)


def to_vector(raw):
    values = tf.io.decode_raw(raw, tf.float32)
    return values[..., 1:], tf.cast(values[..., 0], tf.int32)


def read(path):
    return tf.data.FixedLengthRecordDataset(path, RECORD).map(to_vector)


def embeddings(pattern, batch_size):
    return (
        tf.data.Dataset.list_files(pattern)
        .interleave(read, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
        .shuffle(500_000)
        .batch(batch_size, drop_remainder=True)
        .prefetch(tf.data.AUTOTUNE)
    )


class Probe(tf.keras.Model):
    def __init__(self, classes):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(1024, activation="gelu")
        self.out = tf.keras.layers.Dense(classes)

    def call(self, x):
        return self.out(self.hidden(x))


strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    probe = Probe(1000)
    probe.compile(
        optimizer="adamw",
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        jit_compile=True,
    )
probe.fit(embeddings("/data/clip/train-*.bin", 8192), epochs=30)
