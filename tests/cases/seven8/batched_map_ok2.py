"""Speech denoising: random gain and SNR per utterance, fixed 2 s clips."""
import functools

import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
SAMPLES = 32000


def decode(records):
    ex = tf.io.parse_example(records, {
        "speech": tf.io.FixedLenFeature([SAMPLES], tf.float32),
        "noise": tf.io.FixedLenFeature([SAMPLES], tf.float32)})
    return ex["speech"], ex["noise"]


def mix(speech, noise, low=-5.0, high=15.0):
    snr = tf.random.uniform([], low, high)
    gain = tf.pow(10.0, -snr / 20.0)
    level = tf.random.uniform([], 0.3, 1.0)
    clean = speech * level
    return clean + noise * gain * level, clean


def pipeline(pattern, batch_size, **mix_kwargs):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=AUTOTUNE)
    ds = ds.batch(256).map(decode, num_parallel_calls=AUTOTUNE).unbatch()
    ds = ds.shuffle(16384)
    ds = ds.map(functools.partial(mix, **mix_kwargs), num_parallel_calls=AUTOTUNE)
    ds = ds.batch(batch_size, drop_remainder=True)
    return ds.prefetch(AUTOTUNE)


class DownUp(tf.keras.Model):
    def __init__(self, widths=(32, 64, 128)):
        super().__init__()
        self.down = [tf.keras.layers.Conv1D(w, 8, 4, "same", activation="relu") for w in widths]
        self.mid = tf.keras.layers.Bidirectional(
            tf.keras.layers.LSTM(widths[-1], return_sequences=True))
        self.up = [tf.keras.layers.Conv1DTranspose(w, 8, 4, "same", activation="relu")
                   for w in reversed(widths)]
        self.out = tf.keras.layers.Conv1D(1, 1)

    def call(self, x):
        x = x[..., tf.newaxis]
        for layer in self.down:
            x = layer(x)
        x = self.mid(x)
        for layer in self.up:
            x = layer(x)
        return self.out(x)[..., 0]


def si_sdr(ref, est):
    dot = tf.reduce_sum(ref * est, -1, keepdims=True)
    proj = dot * ref / (tf.reduce_sum(ref * ref, -1, keepdims=True) + 1e-8)
    ratio = tf.reduce_sum(proj ** 2, -1) / (tf.reduce_sum((est - proj) ** 2, -1) + 1e-8)
    return -10.0 * tf.math.log(ratio + 1e-8) / tf.math.log(10.0)


if __name__ == "__main__":
    train = pipeline("/data/dns/train-*.tfrecord", 64)
    valid = pipeline("/data/dns/valid-*.tfrecord", 64, low=5.0, high=5.1)
    model = DownUp()
    model.compile(tf.keras.optimizers.Adam(3e-4, clipnorm=5.0), loss=si_sdr)
    model.fit(train, validation_data=valid, epochs=100)
