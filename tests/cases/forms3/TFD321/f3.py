import tensorflow as tf


class Keywords:
    def __init__(self, root, batch):
        self.files = sorted(tf.io.gfile.glob(f"{root}/*/*.wav"))
        self.words = sorted({f.split("/")[-2] for f in self.files})
        self.batch = batch

    @property
    def steps(self):
        return len(self.files) // self.batch

    def source(self):
        labels = [self.words.index(f.split("/")[-2]) for f in self.files]
        ds = tf.data.Dataset.from_tensor_slices({"file": self.files, "label": labels})
        return ds.shuffle(len(self.files)).repeat()

    def mfcc(self, item):
        wave, _ = tf.audio.decode_wav(tf.io.read_file(item["file"]), desired_channels=1, desired_samples=16000)
        spec = tf.abs(tf.signal.stft(wave[:, 0], 400, 160, fft_length=512))
        mel = tf.matmul(spec, tf.signal.linear_to_mel_weight_matrix(40, 257, 16000))
        return tf.signal.mfccs_from_log_mel_spectrograms(tf.math.log(mel + 1e-6)), item["label"]

    def train(self):
        ds = self.source().map(self.mfcc, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch).prefetch(tf.data.AUTOTUNE)


data = Keywords("speech_commands", 128)
model = tf.keras.Sequential([tf.keras.layers.GRU(64), tf.keras.layers.Dense(len(data.words), activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(data.train(), steps_per_epoch=data.steps, epochs=40)
