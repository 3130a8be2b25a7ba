import numpy as np
import tensorflow as tf

RATE = 16_000
WINDOW = np.hanning(400).astype(np.float32)
MEAN = np.load("/data/keywords/mean.npy").astype(np.float32)


def read_wav(path, label):
    audio, _ = tf.audio.decode_wav(
        tf.io.read_file(path), desired_channels=1, desired_samples=RATE)
    return audio[:, 0], label


def spectrogram(audio, label):
    frames = tf.signal.frame(audio, WINDOW.size, 160)
    stft = tf.signal.rfft(frames * WINDOW)
    bins = int(stft.shape[-1])
    scale = np.sqrt(np.asarray(bins, dtype=np.float32))
    return tf.math.log1p(tf.abs(stft)) / scale - MEAN, label


def build(paths, labels, batch_size=128):
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    for stage in (read_wav, spectrogram):
        ds = ds.map(stage, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def confusion(model, ds, classes):
    table = np.zeros([classes, classes], np.int64)
    for features, label in ds:
        predicted = tf.argmax(model(features, training=False), axis=-1)
        np.add.at(table, (label.numpy(), predicted.numpy()), 1)
    return table


def main():
    table = np.loadtxt("/data/keywords/test.csv", delimiter=",", dtype=str)
    ds = build(table[:, 0], table[:, 1].astype(np.int32))
    model = tf.keras.models.load_model("/models/keywords.keras")
    print(confusion(model, ds, 35))


if __name__ == "__main__":
    main()
