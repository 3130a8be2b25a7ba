"""Masked language model on protein sequences."""
import argparse

import tensorflow as tf

AMINO = 25
LENGTH = 256
MASK_ID = 24


def parse(raw):
    ex = tf.io.parse_example(raw, {"seq": tf.io.FixedLenFeature([LENGTH], tf.int64)})
    seq = tf.cast(ex["seq"], tf.int32)
    hide = (tf.random.uniform(tf.shape(seq)) < 0.15) & (seq > 0)
    return tf.where(hide, MASK_ID, seq), seq, tf.cast(hide, tf.float32)


def proteins(pattern, batch):
    files = tf.data.Dataset.list_files(pattern, shuffle=True)
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(50_000).repeat().batch(batch, drop_remainder=True)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def encoder(width=256, depth=4):
    ids = tf.keras.Input((LENGTH,), dtype="int32")
    x = tf.keras.layers.Embedding(AMINO, width)(ids)
    for _ in range(depth):
        x = tf.keras.layers.LayerNormalization()(x + tf.keras.layers.MultiHeadAttention(4, 64)(x, x))
        x = tf.keras.layers.LayerNormalization()(x + tf.keras.layers.Dense(width, activation="gelu")(x))
    return tf.keras.Model(ids, tf.keras.layers.Dense(AMINO)(x))


class Loop:
    def __init__(self, model, logdir):
        self.model = model
        self.opt = tf.keras.optimizers.AdamW(2e-4)
        self.loss = tf.keras.metrics.Mean("loss")
        self.acc = tf.keras.metrics.Mean("acc")
        self.writer = tf.summary.create_file_writer(logdir)

    @tf.function
    def step(self, masked, target, weight):
        with tf.GradientTape() as tape:
            logits = self.model(masked, training=True)
            ce = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=target, logits=logits)
            loss = tf.math.divide_no_nan(tf.reduce_sum(ce * weight), tf.reduce_sum(weight))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.model.trainable_variables))
        hit = tf.cast(tf.argmax(logits, -1, output_type=tf.int32) == target, tf.float32)
        self.loss.update_state(loss)
        self.acc.update_state(hit, sample_weight=weight)

    def run(self, data, steps, every=200):
        for i, batch in enumerate(data.take(steps), start=1):
            self.step(*batch)
            if i % every == 0:
                with self.writer.as_default(step=i):
                    for metric in (self.loss, self.acc):
                        tf.summary.scalar(metric.name, metric.result())
                print(f"{i:7d} loss {self.loss.result():.4f} acc {self.acc.result():.4f}")
                self.loss.reset_state()
                self.acc.reset_state()


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", default="/uniref/part-*.tfrecord")
    ap.add_argument("--steps", type=int, default=200_000)
    ap.add_argument("--logdir", default="/logs/protein")
    a = ap.parse_args()
    loop = Loop(encoder(), a.logdir)
    loop.run(proteins(a.data, 128), a.steps)
    loop.model.save("protein.keras")
