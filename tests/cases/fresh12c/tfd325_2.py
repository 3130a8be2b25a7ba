"""ECG autoencoder over sliding windows of long recordings."""
from dataclasses import dataclass, field

import tensorflow as tf


@dataclass
class WindowSpec:
    length: int = 1024
    hop: int = 16

    def slide(self, signal):
        return tf.signal.frame(signal, self.length, self.hop)


@dataclass
class EcgData:
    pattern: str
    spec: WindowSpec = field(default_factory=WindowSpec)

    def parse(self, rec):
        ex = tf.io.parse_single_example(rec, {"lead_ii": tf.io.FixedLenFeature([], tf.string)})
        raw = tf.cast(tf.io.decode_raw(ex["lead_ii"], tf.int16), tf.float32)
        return (raw - tf.reduce_mean(raw)) / (tf.math.reduce_std(raw) + 1e-3)

    def windows(self):
        ds = tf.data.Dataset.list_files(self.pattern, shuffle=False)
        ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.map(self.spec.slide, num_parallel_calls=tf.data.AUTOTUNE).cache()

    def train(self, batch):
        ds = self.windows().shuffle(256).unbatch().shuffle(50_000)
        ds = ds.batch(batch, drop_remainder=True)
        return ds.map(lambda w: (w, w), num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def autoencoder(length):
    inp = tf.keras.Input((length,))
    x = tf.keras.layers.Reshape((length, 1))(inp)
    for f in (16, 32, 64):
        x = tf.keras.layers.Conv1D(f, 7, strides=4, padding="same", activation="relu")(x)
    for f in (32, 16, 1):
        x = tf.keras.layers.Conv1DTranspose(f, 7, strides=4, padding="same",
                                            activation="relu" if f > 1 else None)(x)
    return tf.keras.Model(inp, tf.keras.layers.Flatten()(x))


if __name__ == "__main__":
    data = EcgData("/data/holter/train-*.tfrecord")
    net = autoencoder(data.spec.length)
    net.compile("adam", "mse")
    net.fit(data.train(512), epochs=20)
