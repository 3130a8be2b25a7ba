"""Distributed training with the next batch taken while the step is under way."""
import contextlib

import tensorflow as tf

GLOBAL_BATCH = 1024
STEPS = 30_000
PROFILE = range(500, 540)


def inputs(context=None):
    def parse(serialized):
        row = tf.io.parse_example(serialized, {
            "x": tf.io.FixedLenFeature([2048], tf.float32),
            "y": tf.io.FixedLenFeature([], tf.int64)})
        return row["x"], row["y"]

    ds = tf.data.Dataset.list_files("/data/frames/train-*.tfrecord", shuffle=True)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=16,
                       num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(60_000).repeat().batch(GLOBAL_BATCH, drop_remainder=True)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def main():
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = tf.keras.Sequential([
            tf.keras.layers.Dense(1024, activation="relu"), tf.keras.layers.Dense(3862)])
        model.build((None, 2048))
        optimizer = tf.keras.optimizers.SGD(0.1)
        optimizer.build(model.trainable_variables)

    def replica_step(x, y):
        with tf.GradientTape() as tape:
            per_row = tf.nn.sparse_softmax_cross_entropy_with_logits(
                labels=y, logits=model(x, training=True))
            loss = tf.nn.compute_average_loss(per_row, global_batch_size=GLOBAL_BATCH)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    @tf.function
    def train_step(batch):
        losses = strategy.run(replica_step, args=batch)
        return strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)

    iterator = iter(strategy.experimental_distribute_dataset(inputs()))
    batch = iterator.get_next()
    step = 0
    while step < STEPS:
        if step == PROFILE.start:
            tf.profiler.experimental.start("/logs/frames")
        with contextlib.ExitStack() as stack:
            if step in PROFILE:
                stack.enter_context(
                    tf.profiler.experimental.Trace("train", step_num=step, _r=1))
            train_step(batch)
        batch = iterator.get_next()
        step += 1
        if step == PROFILE.stop:
            tf.profiler.experimental.stop()


if __name__ == "__main__":
    main()
