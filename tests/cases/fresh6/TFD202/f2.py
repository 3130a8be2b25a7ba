import librosa
import numpy as np
import tensorflow as tf


@tf.numpy_function(Tout=tf.float32)
def mel(path):
    wav, _ = librosa.load(path.decode(), sr=16000, duration=1.0)
    wav = np.pad(wav, (0, 16000 - len(wav)))
    return librosa.feature.melspectrogram(y=wav, sr=16000, n_mels=64).astype(np.float32)


def example(path):
    spectrogram = tf.ensure_shape(mel(path), (64, 32))
    return tf.transpose(spectrogram), tf.cast(tf.strings.split(path, "/")[-2] == "yes", tf.float32)


ds = tf.data.Dataset.list_files("/data/speech/*/*.wav")
ds = ds.map(example, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(64).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([tf.keras.layers.GRU(32), tf.keras.layers.Dense(1, "sigmoid")])
model.compile("adam", "binary_crossentropy")
model.fit(ds, epochs=15)
