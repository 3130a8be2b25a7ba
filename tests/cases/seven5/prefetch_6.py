"""Character language model on bucketed sentences."""
import tensorflow as tf

BOUNDARIES = [32, 64, 128, 256]
SIZES = [512, 256, 128, 64, 32]


def encode(line):
    ids = tf.cast(tf.io.decode_raw(line, tf.uint8), tf.int32)
    return ids[:-1], ids[1:]


def length(inputs, targets):
    return tf.size(inputs)


def sentences(pattern):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TextLineDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.filter(lambda line: tf.strings.length(line) > 8)
    ds = ds.shuffle(100_000)
    ds = ds.map(encode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.bucket_by_sequence_length(
        length,
        bucket_boundaries=BOUNDARIES,
        bucket_batch_sizes=SIZES,
        drop_remainder=True,
    )


class CharModel(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.embed = tf.keras.layers.Embedding(256, 256, mask_zero=True)
        self.rnn = [tf.keras.layers.LSTM(1024, return_sequences=True) for _ in range(2)]
        self.head = tf.keras.layers.Dense(256)

    def call(self, ids, training=None):
        x = self.embed(ids)
        for layer in self.rnn:
            x = layer(x, training=training)
        return self.head(x)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compiled_loss(y, self(x, training=True))
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        return {"loss": loss}


if __name__ == "__main__":
    model = CharModel()
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    corpus = sentences("/data/wiki/part-*.txt")
    model.fit(corpus, epochs=5)
    model.save_weights("/models/char/weights")
