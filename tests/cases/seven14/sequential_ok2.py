"""Speaker identification; the input function takes its worker count as an argument."""
import argparse
import functools
import tensorflow as tf


def shard_reader(path):
    return tf.data.TFRecordDataset(path, buffer_size=4 << 20)


def to_spectrogram(raw, frame, hop):
    ex = tf.io.parse_single_example(raw, {
        "wav": tf.io.FixedLenFeature([], tf.string),
        "speaker": tf.io.FixedLenFeature([], tf.int64)})
    pcm, _ = tf.audio.decode_wav(ex["wav"], desired_channels=1)
    seg = tf.image.random_crop(pcm, [48000, 1])[:, 0]
    return tf.math.log(tf.abs(tf.signal.stft(seg, frame, hop)) + 1e-6), ex["speaker"]


def input_fn(pattern, batch, workers, fn):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(shard_reader, workers, 16, workers)
    ds = ds.shuffle(10_000).repeat()
    ds = ds.map(fn, workers)
    return ds.batch(batch, drop_remainder=True).prefetch(2)


def network(speakers):
    return tf.keras.Sequential([
        tf.keras.layers.Conv1D(256, 5, activation="relu"),
        tf.keras.layers.Conv1D(256, 3, dilation_rate=2, activation="relu"),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(512, "relu"),
        tf.keras.layers.Dense(speakers)])


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--data", default="/data/voxceleb/train-*.tfrecord")
    p.add_argument("--workers", type=int, default=16)
    p.add_argument("--batch", type=int, default=128)
    a = p.parse_args()
    fn = functools.partial(to_spectrogram, frame=400, hop=160)
    ds = input_fn(a.data, a.batch, a.workers, fn)
    net = network(1251)
    net.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    net.fit(ds, steps_per_epoch=5000, epochs=25)


if __name__ == "__main__":
    main()
