import tensorflow as tf


class SpeechData:
    def __init__(self, pattern, batch_size=64):
        self.pattern = pattern
        self.batch_size = batch_size

    def _load(self, path):
        audio, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=16000)
        label = tf.strings.regex_full_match(path, ".*/yes/.*")
        return tf.squeeze(audio, -1), tf.cast(label, tf.float32)

    def _mel(self, wave, label):
        stft = tf.signal.stft(wave, frame_length=400, frame_step=160)
        weights = tf.signal.linear_to_mel_weight_matrix(80, 257, 16000)
        mel = tf.tensordot(tf.abs(stft), weights, 1)
        return tf.math.log(mel + 1e-6)[..., tf.newaxis], label

    def train(self):
        ds = tf.data.Dataset.list_files(self.pattern, seed=3)
        ds = ds.map(self._load, num_parallel_calls=tf.data.AUTOTUNE).cache()
        ds = ds.shuffle(5000)
        ds = ds.map(self._mel, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)


def build():
    m = tf.keras.Sequential([
        tf.keras.layers.Conv2D(16, 3, activation="relu"),
        tf.keras.layers.GlobalMaxPool2D(),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    m.compile(optimizer="adam", loss="binary_crossentropy")
    return m


if __name__ == "__main__":
    build().fit(SpeechData("speech/*/*.wav").train(), epochs=30)
