import tensorflow as tf


class Audio:
    def __init__(self, files, rate=44100, seconds=10):
        self.files = files
        self.samples = rate * seconds

    def spectrogram(self, path):
        wave, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=self.samples)
        spec = tf.signal.stft(wave[:, 0], frame_length=2048, frame_step=256)
        return tf.math.log1p(tf.abs(spec))[..., tf.newaxis]

    def label(self, path):
        return tf.strings.to_number(tf.strings.split(path, "-")[-2], tf.int32)

    def example(self, path):
        return self.spectrogram(path), self.label(path)

    def train(self, batch):
        ds = tf.data.Dataset.from_tensor_slices(self.files)
        ds = ds.map(self.example, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.shuffle(len(self.files)).batch(batch).prefetch(tf.data.AUTOTUNE)


audio = Audio(sorted(tf.io.gfile.glob("urbansound/*.wav")))
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 5, strides=2, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(audio.train(16), epochs=2)
