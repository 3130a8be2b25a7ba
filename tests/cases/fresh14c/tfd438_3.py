import os
import tempfile

import numpy as np
import tensorflow as tf

COMPRESSION = "GZIP"
STEPS, CHANNELS = 500, 12
SPEC = {
    "ecg": tf.io.FixedLenFeature([], tf.string),
    "rhythm": tf.io.FixedLenFeature([], tf.int64),
}


def write_shard(path, signals, rhythms):
    with tf.io.TFRecordWriter(path, options=COMPRESSION) as writer:
        for signal, rhythm in zip(signals, rhythms):
            feature = {
                "ecg": tf.train.Feature(
                    bytes_list=tf.train.BytesList(value=[signal.astype(np.float32).tobytes()])
                ),
                "rhythm": tf.train.Feature(int64_list=tf.train.Int64List(value=[int(rhythm)])),
            }
            example = tf.train.Example(features=tf.train.Features(feature=feature))
            writer.write(example.SerializeToString())


def parse(batch):
    ex = tf.io.parse_example(batch, SPEC)
    ecg = tf.io.decode_raw(ex["ecg"], tf.float32)
    return tf.reshape(ecg, [-1, STEPS, CHANNELS]), ex["rhythm"]


def read(paths, batch_size):
    files = tf.data.Dataset.from_tensor_slices(paths).shuffle(len(paths))
    ds = files.interleave(
        lambda path: tf.data.TFRecordDataset(path, compression_type=COMPRESSION),
        cycle_length=4,
        num_parallel_calls=tf.data.AUTOTUNE,
        deterministic=False,
    )
    ds = ds.shuffle(5000).batch(batch_size)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def build():
    return tf.keras.Sequential(
        [
            tf.keras.Input([STEPS, CHANNELS]),
            tf.keras.layers.Conv1D(64, 7, activation="relu"),
            tf.keras.layers.MaxPool1D(),
            tf.keras.layers.Conv1D(64, 7, activation="relu"),
            tf.keras.layers.GlobalAveragePooling1D(),
            tf.keras.layers.Dense(5),
        ]
    )


def main():
    archive = np.load("ecg.npz")
    parts = np.array_split(np.arange(len(archive["rhythm"])), 8)
    signals, rhythms = archive["ecg"], archive["rhythm"]
    model = build()
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, part in enumerate(parts):
            paths.append(os.path.join(folder, f"part{number}.tfrecord.gz"))
            write_shard(paths[-1], signals[part], rhythms[part])
        model.fit(read(paths, 64), epochs=20)
    model.save("ecg.keras")


if __name__ == "__main__":
    main()
