import functools

import tensorflow as tf


def load_clip(path, rate, seconds):
    wave, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1,
                                  desired_samples=rate * seconds)
    spec = tf.abs(tf.signal.stft(tf.squeeze(wave, -1), 1024, 256))
    label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
    return tf.math.log(spec + 1e-6), label


class SoundPipeline:
    rate = 16000

    def __init__(self, pattern, batch_size):
        self._files = tf.data.Dataset.list_files(pattern)
        self._batch_size = batch_size

    def build(self):
        loader = functools.partial(load_clip, rate=self.rate, seconds=4)
        return (
            self._files
            .map(loader)
            .cache()
            .shuffle(2000)
            .batch(self._batch_size)
            .prefetch(tf.data.AUTOTUNE)
        )


def main():
    model = tf.keras.Sequential([tf.keras.layers.GRU(128), tf.keras.layers.Dense(50)])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(SoundPipeline("/data/esc50/*/*.wav", 32).build(), epochs=60)


main()
