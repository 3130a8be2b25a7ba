"""Environmental sound classifier: disk cached audio and log-mel patches."""
import os

from absl import app, flags
import tensorflow as tf

FLAGS = flags.FLAGS
flags.DEFINE_string("data_dir", "/data/urbansound8k", "Dataset root.")
flags.DEFINE_string("cache_dir", "/scratch/cache", "Local SSD.")
flags.DEFINE_integer("batch_size", 64, "Batch size.")
flags.DEFINE_integer("epochs", 120, "Epochs.")
flags.DEFINE_integer("test_fold", 10, "Held out fold.")


class UrbanSound:
    sample_rate = 44100
    seconds = 4
    mel_bins = 128

    def __init__(self, data_dir, cache_dir, test_fold):
        self.data_dir = data_dir
        self.cache_dir = cache_dir
        self.test_fold = test_fold

    def files(self, training):
        folds = [f for f in range(1, 11) if (f != self.test_fold) == training]
        out = []
        for f in folds:
            out += tf.io.gfile.glob(os.path.join(self.data_dir, f"fold{f}", "*.wav"))
        labels = [int(os.path.basename(p).split("-")[1]) for p in out]
        return out, labels

    def _read(self, path, label):
        return tf.io.read_file(path), label

    def _features(self, blob, label):
        wav, _ = tf.audio.decode_wav(blob, desired_channels=1,
                                     desired_samples=self.sample_rate * self.seconds)
        spec = tf.square(tf.abs(tf.signal.stft(wav[:, 0], 2048, 512, fft_length=2048)))
        weights = tf.signal.linear_to_mel_weight_matrix(
            self.mel_bins, 1025, self.sample_rate, 20.0, 20000.0)
        mel = tf.math.log(tf.matmul(spec, weights) + 1e-6)
        mel = (mel - tf.reduce_mean(mel)) / (tf.math.reduce_std(mel) + 1e-6)
        return mel[..., tf.newaxis], label

    def load(self, training):
        paths, labels = self.files(training)
        ds = tf.data.Dataset.from_tensor_slices((paths, labels))
        ds = ds.map(self._read, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.cache(os.path.join(self.cache_dir, "train" if training else "test"))
        ds = ds.map(self._features, num_parallel_calls=tf.data.AUTOTUNE)
        if training:
            ds = ds.shuffle(2048)
        ds = ds.batch(FLAGS.batch_size)
        return ds.prefetch(tf.data.AUTOTUNE)


def cnn():
    m = tf.keras.Sequential([tf.keras.layers.InputLayer((341, 128, 1))])
    for ch in (32, 64, 128, 256):
        m.add(tf.keras.layers.Conv2D(ch, 3, padding="same", activation="relu"))
        m.add(tf.keras.layers.BatchNormalization())
        m.add(tf.keras.layers.MaxPool2D())
    m.add(tf.keras.layers.GlobalAveragePooling2D())
    m.add(tf.keras.layers.Dense(10))
    return m


def main(_):
    data = UrbanSound(FLAGS.data_dir, FLAGS.cache_dir, FLAGS.test_fold)
    model = cnn()
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=["accuracy"])
    model.fit(data.load(True), validation_data=data.load(False), epochs=FLAGS.epochs)


if __name__ == "__main__":
    app.run(main)
