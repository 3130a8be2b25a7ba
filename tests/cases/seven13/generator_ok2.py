"""Speaker verification; NumPy is used for scoring, never in the input pipeline."""
import numpy as np
import tensorflow as tf


class SpeakerData:
    def __init__(self, pattern, seconds=3.0, rate=16_000):
        self.files = tf.io.gfile.glob(pattern)
        self.samples = int(seconds * rate)

    def _random_segment(self, record):
        """Random segment: all in graph ops (earlier version used soundfile)."""
        ex = tf.io.parse_single_example(record, {
            "wav": tf.io.FixedLenFeature([], tf.string),
            "speaker": tf.io.FixedLenFeature([], tf.int64)})
        wav, _ = tf.audio.decode_wav(ex["wav"], desired_channels=1)
        wav = tf.image.random_crop(wav, [self.samples, 1])[:, 0]
        spec = tf.abs(tf.signal.stft(wav, 400, 160, 512))
        mel = spec @ tf.signal.linear_to_mel_weight_matrix(80, 257, 16_000, 20.0, 7600.0)
        return tf.math.log(mel + 1e-6), ex["speaker"]

    def training(self, batch):
        ds = tf.data.TFRecordDataset(self.files, num_parallel_reads=tf.data.AUTOTUNE)
        ds = ds.shuffle(20_000).repeat()
        ds = ds.map(self._random_segment, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def equal_error_rate(scores: np.ndarray, same: np.ndarray) -> float:
    order = np.argsort(scores)
    same = same[order]
    frr = np.cumsum(same) / same.sum()
    far = 1 - np.cumsum(1 - same) / (1 - same).sum()
    return float(frr[np.argmin(np.abs(frr - far))])


class EERCallback(tf.keras.callbacks.Callback):
    def __init__(self, encoder, left, right, same):
        super().__init__()
        self.encoder, self.left, self.right, self.same = encoder, left, right, same

    def on_epoch_end(self, epoch, logs=None):
        a = self.encoder.predict(self.left, verbose=0)
        b = self.encoder.predict(self.right, verbose=0)
        cos = (a * b).sum(1) / (np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1))
        print("EER", equal_error_rate(cos, self.same))


def run(pattern, trials):
    inp = tf.keras.Input([298, 80])
    x = tf.keras.layers.Conv1D(512, 5, activation="relu")(inp)
    x = tf.keras.layers.Conv1D(512, 3, dilation_rate=2, activation="relu")(x)
    emb = tf.keras.layers.Dense(192)(tf.keras.layers.GlobalAveragePooling1D()(x))
    encoder = tf.keras.Model(inp, emb)
    model = tf.keras.Model(inp, tf.keras.layers.Dense(5994)(emb))
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(SpeakerData(pattern).training(256), steps_per_epoch=4000, epochs=30,
              callbacks=[EERCallback(encoder, **np.load(trials))])
