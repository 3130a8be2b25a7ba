"""Bird-song classifier, cached mel features on local SSD."""
import os

import tensorflow as tf

AUTO = tf.data.AUTOTUNE


class BirdPipeline:
    def __init__(self, root, scratch, batch_size=64):
        self.root = root
        self.batch_size = batch_size
        self.cache_file = os.path.join(scratch, "mel_cache")

    def _features(self, path, label):
        audio, _ = tf.audio.decode_wav(tf.io.read_file(path), 1, 48_000)
        stft = tf.abs(tf.signal.stft(audio[:, 0], 1024, 512))
        mel = tf.matmul(stft, tf.signal.linear_to_mel_weight_matrix(96, 513, 16_000))
        return tf.ensure_shape(tf.math.log(mel + 1e-5), (92, 96)), label

    def _index(self, split):
        table = tf.io.gfile.GFile(os.path.join(self.root, split + ".tsv")).read().splitlines()
        rows = [line.split("\t") for line in table]
        return [os.path.join(self.root, r[0]) for r in rows], [int(r[1]) for r in rows]

    def _prepare(self, split):
        paths, labels = self._index(split)
        ds = tf.data.Dataset.from_tensor_slices((paths, labels))
        return ds.map(self._features, num_parallel_calls=AUTO).cache(self.cache_file)

    def train(self):
        ds = self._prepare("train").shuffle(5000)
        return ds.batch(self.batch_size, drop_remainder=True).prefetch(AUTO)

    def validation(self):
        return self._prepare("valid").batch(self.batch_size).prefetch(AUTO)


pipe = BirdPipeline("/data/birdclef", "/scratch/birdclef")
net = tf.keras.Sequential([
    tf.keras.Input((92, 96)),
    tf.keras.layers.Conv1D(128, 5, activation="relu"),
    tf.keras.layers.MaxPooling1D(2),
    tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(128)),
    tf.keras.layers.Dense(264),
])
net.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
net.fit(pipe.train(), validation_data=pipe.validation(), epochs=40)
