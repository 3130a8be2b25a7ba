import os

import tensorflow as tf

SR, N_FFT, HOP, N_MELS = 22050, 1024, 256, 80


def map_fn(dataset, fn, workers=None):
    """All maps of the data loaders go through this function."""
    return dataset.map(fn, num_parallel_calls=workers)


class MelDataset:
    def __init__(self, root, batch_size=16):
        self.root = root
        self.batch_size = batch_size
        self.mel_matrix = tf.signal.linear_to_mel_weight_matrix(
            N_MELS, N_FFT // 2 + 1, SR, 80.0, 7600.0)

    def _load(self, path, text):
        wav, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1)
        spec = tf.abs(tf.signal.stft(tf.squeeze(wav, -1), N_FFT, HOP))
        mel = tf.math.log(tf.maximum(tf.matmul(spec, self.mel_matrix), 1e-5))
        return tf.strings.unicode_decode(text, "UTF-8"), mel

    def create(self):
        with open(os.path.join(self.root, "metadata.csv"), encoding="utf-8") as f:
            rows = [line.rstrip("\n").split("|") for line in f]
        wavs = [os.path.join(self.root, "wavs", r[0] + ".wav") for r in rows]
        texts = [r[2] for r in rows]
        ds = tf.data.Dataset.from_tensor_slices((wavs, texts)).shuffle(len(wavs))
        ds = map_fn(ds, self._load)
        ds = ds.padded_batch(self.batch_size, padded_shapes=([None], [None, N_MELS]))
        return ds.prefetch(tf.data.AUTOTUNE)


class Trainer:
    def __init__(self, model, steps):
        self.model, self.steps = model, steps
        self.optimizer = tf.keras.optimizers.Adam(1e-4)

    @tf.function(experimental_relax_shapes=True)
    def _step(self, chars, mel):
        with tf.GradientTape() as tape:
            pred = self.model((chars, mel), training=True)
            loss = tf.reduce_mean(tf.abs(pred - mel))
        g = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(g, self.model.trainable_variables))
        return loss

    def fit(self, dataset):
        for i, (chars, mel) in enumerate(dataset.repeat()):
            loss = self._step(chars, mel)
            if i % 200 == 0:
                print(i, float(loss))
            if i >= self.steps:
                return


if __name__ == "__main__":
    from tacotron import build_tacotron
    Trainer(build_tacotron(n_mels=N_MELS), 150_000).fit(MelDataset("/data/LJSpeech-1.1").create())
