import tensorflow as tf


class Waveforms:
    def __init__(self, pattern, seconds=1, rate=16_000):
        self.pattern = pattern
        self.samples = seconds * rate

    def read(self, path):
        audio, _ = tf.audio.decode_wav(
            tf.io.read_file(path), desired_channels=1, desired_samples=self.samples
        )
        return tf.squeeze(audio, axis=-1), tf.strings.split(path, "/")[-2]

    def fix(self, audio, word):
        return audio.set_shape([self.samples]), word

    def dataset(self, batch_size=64):
        ds = tf.data.Dataset.list_files(self.pattern)
        ds = ds.map(self.read, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self.fix, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


for audio, words in Waveforms("commands/*/*.wav").dataset():
    print(tf.reduce_max(tf.abs(audio), axis=1), words)
