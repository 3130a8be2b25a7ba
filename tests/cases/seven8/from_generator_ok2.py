"""Summarization fine-tuning; ROUGE via py_function lives in the metric, not in tf.data."""
import numpy as np
import tensorflow as tf
import tensorflow_text as tf_text
from rouge_score import rouge_scorer

AUTOTUNE = tf.data.AUTOTUNE
scorer = rouge_scorer.RougeScorer(["rougeL"], use_stemmer=True)


class RougeL(tf.keras.metrics.Metric):
    """Host side metric evaluated on a few validation batches per epoch."""

    def __init__(self, detok, **kw):
        super().__init__(name="rougeL", **kw)
        self.detok = detok
        self.total = self.add_weight(name="total", initializer="zeros")
        self.count = self.add_weight(name="count", initializer="zeros")

    def _score(self, refs, hyps):
        vals = [scorer.score(r.decode(), h.decode())["rougeL"].fmeasure
                for r, h in zip(refs.numpy(), hyps.numpy())]
        return np.float32(np.sum(vals))

    def update_state(self, y_true, y_pred, sample_weight=None):
        refs, hyps = self.detok(y_true), self.detok(tf.argmax(y_pred, -1, tf.int32))
        self.total.assign_add(tf.py_function(self._score, [refs, hyps], tf.float32))
        self.count.assign_add(tf.cast(tf.shape(y_true)[0], tf.float32))

    def result(self):
        return self.total / tf.maximum(self.count, 1.0)


def build(pattern, sp, batch_size, training):
    spec = {k: tf.io.FixedLenFeature([], tf.string) for k in ("article", "summary")}

    def encode(records):
        ex = tf.io.parse_example(records, spec)
        src = sp.tokenize(ex["article"]).to_tensor(shape=[None, 512])
        tgt = sp.tokenize(ex["summary"]).to_tensor(shape=[None, 128])
        return (src, tgt[:, :-1]), tgt[:, 1:]

    ds = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTOTUNE)
    if training:
        ds = ds.shuffle(20_000)
    ds = ds.batch(batch_size, drop_remainder=True)
    return ds.map(encode, num_parallel_calls=AUTOTUNE).prefetch(AUTOTUNE)


def seq2seq(vocab, dim=512):
    src = tf.keras.Input((512,), dtype=tf.int32)
    tgt = tf.keras.Input((127,), dtype=tf.int32)
    emb = tf.keras.layers.Embedding(vocab, dim)
    enc = tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(dim // 2, return_sequences=True))(emb(src))
    dec = tf.keras.layers.LSTM(dim, return_sequences=True)(emb(tgt))
    ctx = tf.keras.layers.Attention()([dec, enc])
    return tf.keras.Model([src, tgt], tf.keras.layers.Dense(vocab)(
        tf.keras.layers.Concatenate()([dec, ctx])))


def main():
    with open("/data/cnn_dm/spm.model", "rb") as f:
        sp = tf_text.SentencepieceTokenizer(f.read(), add_eos=True)
    model = seq2seq(32000)
    model.compile(tf.keras.optimizers.Adam(3e-4),
                  tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  run_eagerly=False)
    model.fit(build("/data/cnn_dm/train-*", sp, 32, True), epochs=10)
    metric = RougeL(sp.detokenize)
    for inputs, targets in build("/data/cnn_dm/val-*", sp, 32, False).take(50):
        metric.update_state(targets, model(inputs, training=False))
    print("rougeL", float(metric.result()))


if __name__ == "__main__":
    main()
