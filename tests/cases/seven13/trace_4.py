"""Distributed speech model; fetching and stepping are separate methods."""
import tensorflow as tf


class SpeechExperiment:
    def __init__(self, pattern, logdir, global_batch=512):
        self.logdir = logdir
        self.global_batch = global_batch
        self.strategy = tf.distribute.MirroredStrategy()
        self.dist = self.strategy.experimental_distribute_dataset(self._dataset(pattern))
        self._iterator = None
        with self.strategy.scope():
            self.model = tf.keras.Sequential([
                tf.keras.Input([None, 80]),
                tf.keras.layers.Conv1D(256, 5, 2, activation="relu"),
                tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(256)),
                tf.keras.layers.Dense(12)])
            self.optimizer = tf.keras.optimizers.Adam(3e-4)

    def _dataset(self, pattern):
        def parse(rec):
            ex = tf.io.parse_single_example(rec, {
                "wav": tf.io.FixedLenFeature([], tf.string), "intent": tf.io.FixedLenFeature([], tf.int64)})
            wav, _ = tf.audio.decode_wav(ex["wav"], 1)
            wav = tf.image.random_crop(wav, [32_000, 1])[:, 0]
            mel = tf.signal.linear_to_mel_weight_matrix(80, 257, 16_000, 20.0, 7600.0)
            return tf.math.log(tf.abs(tf.signal.stft(wav, 400, 160, 512)) @ mel + 1e-6), ex["intent"]
        ds = tf.data.TFRecordDataset(tf.io.gfile.glob(pattern), num_parallel_reads=16)
        ds = ds.shuffle(10_000).repeat().map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.global_batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

    def _fetch(self):
        if self._iterator is None:
            self._iterator = iter(self.dist)
        return next(self._iterator)

    @tf.function
    def _step(self, inputs):
        def replica(mel, y):
            with tf.GradientTape() as tape:
                ce = tf.nn.sparse_softmax_cross_entropy_with_logits(y, self.model(mel, training=True))
                loss = tf.reduce_sum(ce) / self.global_batch
            v = self.model.trainable_variables
            self.optimizer.apply_gradients(zip(tape.gradient(loss, v), v))
            return loss
        return self.strategy.reduce("SUM", self.strategy.run(replica, inputs), axis=None)

    def train(self, steps, profile_from=50, profile_steps=20):
        for n in range(steps):
            if n == profile_from:
                tf.profiler.experimental.start(self.logdir)
            inputs = self._fetch()
            with tf.profiler.experimental.Trace("train_step", step_num=n, _r=1):
                loss = self._step(inputs)
            if n == profile_from + profile_steps:
                tf.profiler.experimental.stop()
        return loss


if __name__ == "__main__":
    SpeechExperiment("/data/intents/train-*.tfrecord", "/logs/intents").train(60_000)
