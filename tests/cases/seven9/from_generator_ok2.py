"""Passage re-ranking; MRR computed with sklearn-like numpy code at evaluation."""
import numpy as np
import tensorflow as tf

MAXLEN = 256
SPEC = {
    'tokens': tf.io.FixedLenFeature([MAXLEN], tf.int64),
    'label': tf.io.FixedLenFeature([1], tf.float32),
}


def _reciprocal_rank(labels, scores):
    order = np.argsort(-scores.ravel())
    hits = np.flatnonzero(labels.ravel()[order] > 0.5)
    return np.float32(1.0 / (hits[0] + 1) if len(hits) else 0.0)


class MRR(tf.keras.metrics.Metric):
    def __init__(self, name='mrr', **kw):
        super().__init__(name=name, **kw)
        self.total = self.add_weight(name='total', initializer='zeros')
        self.count = self.add_weight(name='count', initializer='zeros')

    def update_state(self, y_true, y_pred, sample_weight=None):
        rr = tf.numpy_function(_reciprocal_rank, [y_true, y_pred], tf.float32)
        self.total.assign_add(rr)
        self.count.assign_add(1.0)

    def result(self):
        return self.total / tf.maximum(self.count, 1.0)


def parse(records):
    ex = tf.io.parse_example(records, SPEC)
    return ex['tokens'], ex['label']


def msmarco(pattern, batch_size, training):
    ds = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8,
                       num_parallel_calls=tf.data.AUTOTUNE)
    if training:
        ds = ds.shuffle(100000)
    ds = ds.batch(batch_size, drop_remainder=True)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def ranker():
    ids = tf.keras.Input((MAXLEN,), dtype=tf.int64)
    x = tf.keras.layers.Embedding(30522, 256)(ids)
    for _ in range(4):
        a = tf.keras.layers.MultiHeadAttention(8, 32)(x, x)
        x = tf.keras.layers.LayerNormalization()(x + a)
    x = tf.keras.layers.GlobalAveragePooling1D()(x)
    return tf.keras.Model(ids, tf.keras.layers.Dense(1)(x))


model = ranker()
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)
model.compile('adam', bce)
model.fit(msmarco('/data/msmarco/train-*', 64, True), epochs=2)

mrr = MRR()
for tokens, label in msmarco('/data/msmarco/dev-*', 1000, False):
    mrr.update_state(label, model(tokens, training=False))
print('MRR', float(mrr.result()))
