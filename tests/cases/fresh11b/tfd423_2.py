import glob

import librosa
import numpy as np
import tensorflow as tf

SR, MELS, FRAMES = 22050, 80, 256


def log_mel(path, offset):
    audio, _ = librosa.load(path.decode(), sr=SR, offset=float(offset), duration=3.0)
    mel = librosa.feature.melspectrogram(y=audio, sr=SR, n_mels=MELS)
    mel = np.log(mel + 1e-6).T.astype("float32")
    mel = np.pad(mel[:FRAMES], ((0, max(0, FRAMES - len(mel))), (0, 0)))
    energy = mel.mean(axis=1)
    return mel, energy


def python_map(func, tout):
    def wrapped(*args):
        return tf.numpy_function(func, args, tout)
    return wrapped


def with_shape(mel, label):
    return tf.ensure_shape(mel, (FRAMES, MELS)), tf.ensure_shape(label, ())


def make(paths, labels, batch_size=32):
    ds = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths))
    mel = python_map(log_mel, tf.float32)
    ds = ds.map(lambda p, y: (mel(p, tf.random.uniform((), 0.0, 20.0)), y), num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(with_shape, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    paths = sorted(glob.glob("/data/gtzan/*/*.wav"))
    genres = sorted({p.split("/")[-2] for p in paths})
    labels = [genres.index(p.split("/")[-2]) for p in paths]
    model = tf.keras.Sequential([tf.keras.Input((FRAMES, MELS)), tf.keras.layers.Conv1D(64, 5, activation="relu"),
                                 tf.keras.layers.GlobalMaxPooling1D(), tf.keras.layers.Dense(len(genres))])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(make(paths, labels), epochs=20)


if __name__ == "__main__":
    main()
