import sys

import tensorflow as tf


class SpeechTrainer:
    def __init__(self, model, dataset, strategy, logdir):
        self.model, self.strategy, self.logdir = model, strategy, logdir
        self.iterator = iter(strategy.experimental_distribute_dataset(dataset))
        self.step = 0
        with strategy.scope():
            self.opt = tf.keras.optimizers.Adam(1e-4)

    @tf.function
    def _train_step(self, iterator):
        def replica(inputs):
            feats, labels = inputs
            with tf.GradientTape() as tape:
                logits = self.model(feats, training=True)
                ce = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
                loss = tf.reduce_mean(ce) / self.strategy.num_replicas_in_sync
            g = tape.gradient(loss, self.model.trainable_variables)
            self.opt.apply_gradients(zip(g, self.model.trainable_variables))
            return loss

        losses = self.strategy.run(replica, args=(next(iterator),))
        return self.strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)

    def train(self, steps, profile_at=250):
        while self.step < steps:
            if self.step == profile_at:
                tf.profiler.experimental.start(self.logdir)
            with tf.profiler.experimental.Trace("train", step_num=self.step, _r=1):
                loss = self._train_step(self.iterator)
            self.step += 1
            if self.step == profile_at + 5:
                tf.profiler.experimental.stop()
            if self.step % 500 == 0:
                print(self.step, loss.numpy())


def frames(pattern, batch_size):
    def parse(raw):
        ex = tf.io.parse_example(raw, {
            "fbank": tf.io.FixedLenFeature([600, 80], tf.float32),
            "senone": tf.io.FixedLenFeature([600], tf.int64)})
        return ex["fbank"], ex["senone"]

    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(10_000).repeat().batch(batch_size, drop_remainder=True)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        net = tf.keras.Sequential([tf.keras.Input((600, 80))] + [
            tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(512, return_sequences=True)) for _ in range(4)
        ] + [tf.keras.layers.Dense(8000)])
    SpeechTrainer(net, frames(sys.argv[1], 64), strategy, sys.argv[2]).train(200_000)
