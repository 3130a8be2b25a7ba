"""Session-based recommender; a benchmark script that profiles the training steps."""
import argparse
import time

import tensorflow as tf


class Feed:
    """Restartable iterator over a dataset."""

    def __init__(self, ds):
        self.ds, self.it = ds, iter(ds)

    def fetch(self):
        try:
            return next(self.it)
        except StopIteration:
            self.it = iter(self.ds)
            return next(self.it)


def sessions(pattern, batch):
    spec = {"items": tf.io.FixedLenFeature([50], tf.int64), "next": tf.io.FixedLenFeature([], tf.int64)}

    def parse(serialized):
        ex = tf.io.parse_example(serialized, spec)
        return ex["items"], ex["next"]

    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(pattern), num_parallel_reads=16)
    ds = ds.shuffle(200_000).batch(batch, drop_remainder=True)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def gru4rec(items):
    return tf.keras.Sequential([tf.keras.layers.Embedding(items, 128), tf.keras.layers.GRU(256),
                                tf.keras.layers.Dense(items)])


def bench(args):
    model, opt = gru4rec(args.items), tf.keras.optimizers.Adagrad(0.05)
    feed = Feed(sessions(args.data, args.batch))

    @tf.function
    def step(x, y):
        with tf.GradientTape() as t:
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, model(x, training=True)))
        opt.apply_gradients(zip(t.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss

    for _ in range(args.warmup):
        step(*feed.fetch())
    begin = time.perf_counter()
    with tf.profiler.experimental.Profile(args.logdir):
        for n in range(args.steps):
            x, y = feed.fetch()
            with tf.profiler.experimental.Trace("bench", step_num=n, _r=1):
                loss = step(x, y)
    took = time.perf_counter() - begin
    print(f"{args.steps * args.batch / took:.0f} sessions/s, loss {float(loss):.4f}")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--data", default="/data/yoochoose/train-*.tfrecord")
    p.add_argument("--logdir", default="/logs/bench")
    p.add_argument("--items", type=int, default=37_483)
    p.add_argument("--batch", type=int, default=2048)
    p.add_argument("--warmup", type=int, default=20)
    p.add_argument("--steps", type=int, default=2000)
    bench(p.parse_args())
