import tensorflow as tf


class SpeechData:
    def __init__(self, pattern, batch_size=64):
        self.pattern = pattern
        self.batch_size = batch_size

    def _load(self, path):
        audio, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=16000)
        stft = tf.signal.stft(tf.squeeze(audio, -1), frame_length=400, frame_step=160)
        label = tf.strings.regex_full_match(path, ".*/yes/.*")
        return tf.abs(stft)[..., tf.newaxis], tf.cast(label, tf.float32)

    def _scale(self, spec, label):
        return spec / 10.0, label

    def train(self):
        ds = tf.data.Dataset.list_files(self.pattern, shuffle=False)
        ds = ds.map(self._load, num_parallel_calls=tf.data.AUTOTUNE).cache()
        ds = ds.shuffle(5000).batch(self.batch_size)
        ds = ds.map(self._scale, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.GlobalMaxPool2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile(optimizer="adam", loss="binary_crossentropy")
model.fit(SpeechData("speech/*/*.wav").train(), epochs=30)
