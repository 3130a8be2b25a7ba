import contextlib
import itertools

import tensorflow as tf
import tensorflow_datasets as tfds


@contextlib.contextmanager
def step_trace(step):
    with tf.profiler.experimental.Trace("train_step", step_num=step, _r=1):
        yield


def encode(ex):
    src = tf.strings.unicode_decode(ex["de"], "UTF-8")[:256]
    tgt = tf.strings.unicode_decode(ex["en"], "UTF-8")[:256]
    return tf.minimum(src, 511), tf.minimum(tgt, 511)


def corpus(batch_size):
    ds = tfds.load("wmt14_translate/de-en", split="train", shuffle_files=True)
    ds = ds.repeat().shuffle(100_000)
    ds = ds.map(encode, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.padded_batch(batch_size, padded_shapes=([256], [256]))
    return ds.prefetch(tf.data.AUTOTUNE)


class Seq2Seq(tf.keras.Model):
    def __init__(self, units=512):
        super().__init__()
        self.emb = tf.keras.layers.Embedding(512, units)
        self.enc = tf.keras.layers.GRU(units, return_state=True)
        self.dec = tf.keras.layers.GRU(units, return_sequences=True)
        self.out = tf.keras.layers.Dense(512)

    def call(self, pair):
        _, state = self.enc(self.emb(pair[0]))
        return self.out(self.dec(self.emb(pair[1]), initial_state=state))


model, opt = Seq2Seq(), tf.keras.optimizers.Adam(5e-4)


@tf.function
def update(src, tgt):
    with tf.GradientTape() as tape:
        logits = model((src, tgt[:, :-1]))
        ce = tf.nn.sparse_softmax_cross_entropy_with_logits(tgt[:, 1:], logits)
        loss = tf.reduce_mean(ce)
    opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


data = corpus(128)
for step, (src, tgt) in enumerate(itertools.islice(data, 120_000)):
    if step == 1000:
        tf.profiler.experimental.start("/tmp/tb/nmt")
    with step_trace(step):
        loss = update(src, tgt)
    if step == 1008:
        tf.profiler.experimental.stop()
    if step % 200 == 0:
        tf.print(step, loss)
