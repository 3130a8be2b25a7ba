"""Speaker identification on VoxCeleb2 with raw-waveform SincNet-like front end."""
import argparse

import tensorflow as tf

AUTO = tf.data.AUTOTUNE
SPEC = {"pcm": tf.io.FixedLenFeature([], tf.string), "spk": tf.io.FixedLenFeature([], tf.int64)}


def decode(rec):
    ex = tf.io.parse_single_example(rec, SPEC)
    return tf.cast(tf.io.decode_raw(ex["pcm"], tf.int16), tf.float32), ex["spk"]


def peak_normalise(wav, spk):
    """Each clip by its own maximum; clips differ in length."""
    peak = tf.reduce_max(tf.abs(wav))
    wav = wav - tf.reduce_mean(wav)
    return wav / (peak + 1e-6), spk


def expand(wav, spk):
    return wav[:, :, None], spk


class Vox:
    def __init__(self, pattern, batch):
        self.pattern, self.batch = pattern, batch

    def __call__(self):
        files = tf.data.Dataset.list_files(self.pattern)
        ds = files.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=AUTO)
        ds = ds.shuffle(10_000)
        ds = ds.map(decode, num_parallel_calls=AUTO)
        ds = ds.filter(lambda wav, _: tf.size(wav) < 16000 * 12)
        ds = ds.map(peak_normalise, num_parallel_calls=AUTO)
        ds = ds.padded_batch(self.batch, drop_remainder=True)
        ds = ds.map(expand, num_parallel_calls=AUTO)
        return ds.prefetch(AUTO)


def network(speakers):
    inp = x = tf.keras.Input([None, 1])
    for f, k, s in ((80, 251, 5), (128, 5, 3), (128, 5, 3), (256, 5, 3)):
        x = tf.keras.layers.Conv1D(f, k, s, padding="same", use_bias=False)(x)
        x = tf.keras.layers.LayerNormalization()(x)
        x = tf.keras.layers.LeakyReLU()(x)
    x = tf.keras.layers.GlobalAveragePooling1D()(x)
    x = tf.keras.layers.Dense(512, activation="relu")(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(speakers)(x))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--pattern", default="/corpora/vox2/dev-*.tfrecord")
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--speakers", type=int, default=5994)
    ap.add_argument("--epochs", type=int, default=30)
    a = ap.parse_args()
    model = network(a.speakers)
    model.compile(tf.keras.optimizers.Adam(1e-3),
                  tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=["accuracy"])
    model.fit(Vox(a.pattern, a.batch)(), epochs=a.epochs)


if __name__ == "__main__":
    main()
