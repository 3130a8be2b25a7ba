"""Sound event tagging; data fetch and update both lie in the step's Trace."""
import dataclasses

import tensorflow as tf


@dataclasses.dataclass
class TagConfig:
    records: str = "/data/audioset/train-*.tfrecord"
    batch: int = 128
    steps: int = 100_000
    profile_start: int = 400
    profile_end: int = 430


class Tagger:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = tf.keras.Sequential([
            tf.keras.Input([None, 64]),
            tf.keras.layers.Conv1D(256, 5, activation="relu"),
            tf.keras.layers.Conv1D(512, 5, 2, activation="relu"),
            tf.keras.layers.GlobalMaxPooling1D(),
            tf.keras.layers.Dense(527)])
        self.opt = tf.keras.optimizers.Adam(1e-3)

    def _parse(self, rec):
        ex = tf.io.parse_single_example(rec, {
            "wav": tf.io.FixedLenFeature([], tf.string), "tags": tf.io.RaggedFeature(tf.int64)})
        wav, _ = tf.audio.decode_wav(ex["wav"], 1)
        wav = tf.image.random_crop(wav, [80_000, 1])[:, 0]
        mel = tf.signal.linear_to_mel_weight_matrix(64, 513, 16_000, 50.0, 7900.0)
        logmel = tf.math.log(tf.abs(tf.signal.stft(wav, 800, 320, 1024)) @ mel + 1e-5)
        return logmel, tf.reduce_max(tf.one_hot(ex["tags"], 527), 0)

    def data(self):
        files = tf.io.gfile.glob(self.cfg.records)
        return (tf.data.TFRecordDataset(files, num_parallel_reads=16)
                .shuffle(8192).repeat()
                .map(self._parse, num_parallel_calls=tf.data.AUTOTUNE)
                .batch(self.cfg.batch, drop_remainder=True)
                .prefetch(tf.data.AUTOTUNE))

    @tf.function
    def update(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(y, self.model(x, training=True)))
        v = self.model.trainable_variables
        self.opt.apply_gradients(zip(tape.gradient(loss, v), v))
        return loss

    def run(self):
        batches = iter(self.data())
        for step in range(self.cfg.steps):
            if step == self.cfg.profile_start:
                tf.profiler.experimental.start("/tmp/tagger")
            with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
                x, y = next(batches)
                loss = self.update(x, y)
            if step == self.cfg.profile_end:
                tf.profiler.experimental.stop()
            if step % 500 == 0:
                print(step, float(loss))


if __name__ == "__main__":
    Tagger(TagConfig()).run()
