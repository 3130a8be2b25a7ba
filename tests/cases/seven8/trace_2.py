"""Masked language model pre-training with a Trainer and profiling flags."""
import argparse

import tensorflow as tf

SPEC = {
    "input_ids": tf.io.FixedLenFeature([512], tf.int64),
    "masked_ids": tf.io.FixedLenFeature([512], tf.int64),
    "weights": tf.io.FixedLenFeature([512], tf.float32),
}


def pretrain_dataset(pattern, batch_size):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(100_000).repeat().batch(batch_size, drop_remainder=True)
    ds = ds.map(lambda r: tf.io.parse_example(r, SPEC), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def encoder(vocab=32000, dim=512, layers=8):
    ids = tf.keras.Input((512,), dtype=tf.int64)
    x = tf.keras.layers.Embedding(vocab, dim)(ids)
    for _ in range(layers):
        h = tf.keras.layers.LayerNormalization()(x)
        x = x + tf.keras.layers.MultiHeadAttention(8, dim // 8)(h, h)
        h = tf.keras.layers.LayerNormalization()(x)
        x = x + tf.keras.layers.Dense(dim)(tf.keras.layers.Dense(4 * dim, activation="gelu")(h))
    return tf.keras.Model(ids, tf.keras.layers.Dense(vocab)(x))


class Trainer:
    def __init__(self, args):
        self.args = args
        self.model = encoder()
        self.opt = tf.keras.optimizers.AdamW(1e-4, weight_decay=0.01)
        self.ckpt = tf.train.CheckpointManager(
            tf.train.Checkpoint(model=self.model, opt=self.opt), args.workdir, max_to_keep=3)

    @tf.function(jit_compile=True)
    def train_step(self, batch):
        with tf.GradientTape() as tape:
            logits = self.model(batch["masked_ids"], training=True)
            ce = tf.nn.sparse_softmax_cross_entropy_with_logits(batch["input_ids"], logits)
            loss = tf.reduce_sum(ce * batch["weights"]) / tf.reduce_sum(batch["weights"])
        v = self.model.trainable_variables
        self.opt.apply_gradients(zip(tape.gradient(loss, v), v))
        return loss

    def fit(self, dataset):
        first, last = self.args.profile_steps
        step = 0
        for batch in dataset.take(self.args.steps):
            if step == first:
                tf.profiler.experimental.start(self.args.workdir)
            with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
                loss = self.train_step(batch)
            if step == last:
                tf.profiler.experimental.stop()
            step += 1
            if step % 1000 == 0:
                tf.print("step", step, "loss", loss)
                self.ckpt.save(step)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--data", default="gs://corpora/c4-mlm/train-*")
    p.add_argument("--workdir", default="/exp/mlm")
    p.add_argument("--batch_size", type=int, default=256)
    p.add_argument("--steps", type=int, default=500_000)
    p.add_argument("--profile_steps", type=int, nargs=2, default=(100, 110))
    args = p.parse_args()
    Trainer(args).fit(pretrain_dataset(args.data, args.batch_size))


if __name__ == "__main__":
    main()
