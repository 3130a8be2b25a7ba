"""TPU text classifier: the iterator is consumed by a multi-step tf.function under the Trace."""
import argparse

import tensorflow as tf


def token_batches(pattern, seq, batch):
    spec = {"ids": tf.io.FixedLenFeature([seq], tf.int64), "label": tf.io.FixedLenFeature([], tf.int64)}

    def parse(serialized):
        ex = tf.io.parse_example(serialized, spec)
        return tf.cast(ex["ids"], tf.int32), tf.cast(ex["label"], tf.int32)

    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(100_000).repeat().batch(batch, drop_remainder=True)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def main(args):
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver(tpu=args.tpu)
    tf.config.experimental_connect_to_cluster(resolver)
    tf.tpu.experimental.initialize_tpu_system(resolver)
    strategy = tf.distribute.TPUStrategy(resolver)
    with strategy.scope():
        model = tf.keras.Sequential([
            tf.keras.layers.Embedding(50_000, 256),
            tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(256)),
            tf.keras.layers.Dense(20)])
        model.build([None, args.seq])
        opt = tf.keras.optimizers.Adam(1e-3)
        opt.build(model.trainable_variables)

    def replica(ids, label):
        with tf.GradientTape() as tape:
            ce = tf.nn.sparse_softmax_cross_entropy_with_logits(label, model(ids, training=True))
            loss = tf.reduce_sum(ce) / args.batch
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss

    @tf.function
    def train_steps(iterator, n):
        total = tf.constant(0.0)
        for _ in tf.range(n):
            total += strategy.reduce("SUM", strategy.run(replica, next(iterator)), axis=None)
        return total / tf.cast(n, tf.float32)

    data = strategy.experimental_distribute_dataset(token_batches(args.records, args.seq, args.batch))
    iterator = iter(data)
    for outer in range(args.outer):
        if outer == 5:
            tf.profiler.experimental.start(args.logdir)
        with tf.profiler.experimental.Trace("host_loop", step_num=outer, _r=1):
            loss = train_steps(iterator, tf.constant(args.inner))
        if outer == 7:
            tf.profiler.experimental.stop()
        print(outer * args.inner, float(loss))


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    for flag, default in (("tpu", ""), ("records", "gs://news/train-*"), ("logdir", "gs://news/logs")):
        ap.add_argument(f"--{flag}", default=default)
    for flag, default in (("seq", 256), ("batch", 1024), ("outer", 500), ("inner", 200)):
        ap.add_argument(f"--{flag}", type=int, default=default)
    main(ap.parse_args())
