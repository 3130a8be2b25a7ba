import tensorflow as tf


class SpeechInput:
    def __init__(self, paths, labels):
        self.paths = paths
        self.labels = labels

    @staticmethod
    def spectrogram(path, label):
        wav, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=16000)
        stft = tf.signal.stft(wav[:, 0], frame_length=255, frame_step=128)
        return tf.abs(stft)[..., tf.newaxis], label

    def train(self, batch_size):
        return (
            tf.data.Dataset.from_tensor_slices((self.paths, self.labels))
            .shuffle(len(self.paths))
            .repeat()
            .map(self.spectrogram, num_parallel_calls=tf.data.AUTOTUNE)
            .batch(batch_size)
            .prefetch(tf.data.AUTOTUNE)
        )


paths = tf.io.gfile.glob("/data/mini_speech_commands/*/*.wav")
names = sorted({p.split("/")[-2] for p in paths})
labels = [names.index(p.split("/")[-2]) for p in paths]

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(len(names)),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(SpeechInput(paths, labels).train(64), steps_per_epoch=len(paths) // 64, epochs=25)
