"""Reproducible augmentation for spectrogram training (data module with a base seed)."""
import tensorflow as tf

BASE_SEED = (11, 2023)


class SpecDataModule:
    def __init__(self, pattern, batch_size=64, mels=80, frames=400):
        self.pattern = pattern
        self.batch_size = batch_size
        self.mels, self.frames = mels, frames

    def _parse(self, raw):
        spec = {"mel": tf.io.FixedLenFeature([self.frames * self.mels], tf.float32),
                "label": tf.io.FixedLenFeature([], tf.int64)}
        ex = tf.io.parse_single_example(raw, spec)
        return tf.reshape(ex["mel"], [self.frames, self.mels]), ex["label"]

    def _spec_augment(self, index, example):
        mel, label = example
        seed = tf.random.experimental.stateless_fold_in(BASE_SEED, index)
        seeds = tf.random.split(seed, 2)
        start = tf.random.stateless_uniform([], seeds[0], 0, self.frames - 40, dtype=tf.int32)
        pos = tf.range(self.frames)
        keep = tf.logical_or(pos < start, pos >= start + 40)
        mel = tf.where(keep[:, None], mel, 0.0)
        mel += tf.random.stateless_normal(tf.shape(mel), seeds[1], stddev=0.01)
        return mel, label

    def train(self):
        files = sorted(tf.io.gfile.glob(self.pattern))
        ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files), seed=5)
        ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(8192, seed=5).repeat()
        ds = ds.map(self._parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.enumerate().map(self._spec_augment, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def build(frames, mels, n):
    inp = tf.keras.Input((frames, mels))
    x = tf.keras.layers.GRU(128)(inp)
    model = tf.keras.Model(inp, tf.keras.layers.Dense(n)(x))
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    return model


if __name__ == "__main__":
    dm = SpecDataModule("/data/speech/mel-*.tfrecord")
    build(dm.frames, dm.mels, 35).fit(dm.train(), steps_per_epoch=1300, epochs=30)
