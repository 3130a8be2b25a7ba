import tensorflow as tf


class Speech:
    threads = 16

    def __init__(self, pattern):
        self.pattern = pattern

    def features(self, path):
        wav, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=16000)
        stft = tf.signal.stft(wav[:, 0], frame_length=400, frame_step=160)
        return tf.abs(stft), tf.cast(tf.strings.split(path, "/")[-2] == "yes", tf.float32)

    def train(self):
        paths = tf.data.Dataset.list_files(self.pattern)
        ds = paths.map(self.features, self.threads)
        return ds.batch(64).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([tf.keras.layers.GRU(32), tf.keras.layers.Dense(1, "sigmoid")])
model.compile("adam", "binary_crossentropy")
model.fit(Speech("/data/speech/*/*.wav").train(), epochs=15)
