"""Neural machine translation (WMT14 en-de), custom training loop."""
import argparse
import tensorflow as tf

SPEC = {'src': tf.io.VarLenFeature(tf.int64),
        'tgt': tf.io.VarLenFeature(tf.int64)}


def parse(r):
    ex = tf.io.parse_single_example(r, SPEC)
    return tf.sparse.to_dense(ex['src']), tf.sparse.to_dense(ex['tgt'])


def wmt(pattern, batch):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(100000).repeat()
    ds = ds.padded_batch(batch, ([128], [128]), drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


class Seq2Seq(tf.keras.Model):
    def __init__(self, vocab, d=512):
        super().__init__()
        self.emb = tf.keras.layers.Embedding(vocab, d, mask_zero=True)
        self.enc = tf.keras.layers.Bidirectional(
            tf.keras.layers.LSTM(d, return_sequences=True))
        self.dec = tf.keras.layers.LSTM(d, return_sequences=True)
        self.att = tf.keras.layers.MultiHeadAttention(8, d // 8)
        self.out = tf.keras.layers.Dense(vocab)

    def call(self, inputs, training=False):
        src, tgt = inputs
        memory = self.enc(self.emb(src), training=training)
        x = self.dec(self.emb(tgt), training=training)
        return self.out(x + self.att(x, memory))


def main(args):
    model = Seq2Seq(37000)
    opt = tf.keras.optimizers.Adam(2e-4)

    @tf.function
    def train_step(src, tgt):
        with tf.GradientTape() as tape:
            logits = model((src, tgt[:, :-1]), training=True)
            mask = tf.cast(tgt[:, 1:] > 0, tf.float32)
            ce = tf.nn.sparse_softmax_cross_entropy_with_logits(tgt[:, 1:], logits)
            loss = tf.reduce_sum(ce * mask) / tf.reduce_sum(mask)
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    dataset = wmt(args.data, args.batch)
    for step, (src, tgt) in enumerate(dataset):
        if step == args.profile_from:
            tf.profiler.experimental.start(args.logdir)
        loss = train_step(src, tgt)
        if step == args.profile_from + 20:
            tf.profiler.experimental.stop()
        if step % 100 == 0:
            print(step, float(loss))
        if step >= args.steps:
            break


if __name__ == '__main__':
    p = argparse.ArgumentParser()
    p.add_argument('--data', default='/data/wmt14/train-*')
    p.add_argument('--logdir', default='/tmp/nmt')
    p.add_argument('--batch', type=int, default=128)
    p.add_argument('--steps', type=int, default=300000)
    p.add_argument('--profile_from', type=int, default=100)
    main(p.parse_args())
