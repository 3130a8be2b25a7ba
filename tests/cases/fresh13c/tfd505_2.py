"""Benchmark of the training step of a ranking model; `--profile` writes a trace of the last steps."""
import argparse
import time

import tensorflow as tf


def impressions(pattern, batch):
    spec = {"query": tf.io.FixedLenFeature([64], tf.float32),
            "docs": tf.io.FixedLenFeature([20, 64], tf.float32),
            "gain": tf.io.FixedLenFeature([20], tf.float32)}
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(20_000).repeat().batch(batch, drop_remainder=True)
    ds = ds.map(lambda r: tf.io.parse_example(r, spec), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


class Ranker(tf.Module):
    def __init__(self, width=512):
        super().__init__()
        self.net = tf.keras.Sequential([tf.keras.layers.Dense(width, activation="relu"),
                                        tf.keras.layers.Dense(width, activation="relu"),
                                        tf.keras.layers.Dense(1)])
        self.net.build((None, 20, 128))
        self.optimizer = tf.keras.optimizers.Adagrad(0.02)

    @tf.function
    def step(self, batch):
        query = tf.repeat(batch["query"][:, None], 20, axis=1)
        with tf.GradientTape() as tape:
            scores = self.net(tf.concat([query, batch["docs"]], -1))[..., 0]
            target = batch["gain"] / (tf.reduce_sum(batch["gain"], -1, keepdims=True) + 1e-6)
            loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(target, scores))
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.net.trainable_variables))
        return loss


def measure(ranker, ds, steps, profile_dir):
    begin = None
    for i, batch in enumerate(ds):
        if i == 50:
            begin = time.perf_counter()
        if profile_dir and i == steps - 5:
            tf.profiler.experimental.start(profile_dir)
        with tf.profiler.experimental.Trace("train", step_num=i, _r=1):
            loss = ranker.step(batch)
        if i == steps - 1:
            break
    print("last loss", float(loss))
    print("steps/s", (steps - 50) / (time.perf_counter() - begin))


if __name__ == "__main__":
    cli = argparse.ArgumentParser()
    cli.add_argument("pattern")
    cli.add_argument("--steps", type=int, default=2000)
    cli.add_argument("--profile", default="")
    args = cli.parse_args()
    measure(Ranker(), impressions(args.pattern, 1024), args.steps, args.profile)
