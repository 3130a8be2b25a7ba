"""Seq2seq headline generation, length-bucketed batches."""
import tensorflow as tf

BOUNDARIES = [32, 64, 128, 256]
BATCHES = [256, 128, 64, 32, 16]
SPEC = {"body": tf.io.VarLenFeature(tf.int64), "title": tf.io.VarLenFeature(tf.int64)}


def token_ids(record):
    ex = tf.io.parse_single_example(record, SPEC)
    return tf.sparse.to_dense(ex["body"])[:512], tf.sparse.to_dense(ex["title"])[:48]


def token_records(pattern):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=8,
                          num_parallel_calls=tf.data.AUTOTUNE)
    return ds.map(token_ids, num_parallel_calls=tf.data.AUTOTUNE)


def bucketed(pattern, finish=()):
    ds = token_records(pattern).cache("/ssd/headlines").shuffle(50000)
    ds = ds.bucket_by_sequence_length(
        element_length_func=lambda x, y: tf.shape(x)[0],
        bucket_boundaries=BOUNDARIES,
        bucket_batch_sizes=BATCHES)
    for stage in finish:
        ds = ds.apply(stage)
    return ds


class Summariser(tf.keras.Model):
    def __init__(self, vocab, dim=512):
        super().__init__()
        self.emb = tf.keras.layers.Embedding(vocab, dim, mask_zero=True)
        self.enc = tf.keras.layers.LSTM(dim, return_state=True)
        self.dec = tf.keras.layers.LSTM(dim, return_sequences=True)
        self.out = tf.keras.layers.Dense(vocab)

    def call(self, x, y):
        _, h, c = self.enc(self.emb(x))
        return self.out(self.dec(self.emb(y), initial_state=[h, c]))


def main():
    train = bucketed("/corpora/news/train-*.tfrecord")
    model = Summariser(32000)
    opt = tf.keras.optimizers.Adam()
    ce = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function(experimental_relax_shapes=True)
    def step(x, y):
        with tf.GradientTape() as t:
            loss = ce(y[:, 1:], model(x, y[:, :-1]))
        opt.apply_gradients(zip(t.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss

    for epoch in range(10):
        for i, (x, y) in enumerate(train):
            loss = step(x, y)
            if i % 500 == 0:
                print(epoch, i, loss.numpy())


if __name__ == "__main__":
    main()
