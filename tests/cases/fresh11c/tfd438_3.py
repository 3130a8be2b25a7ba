import os
import tempfile

import numpy as np
import tensorflow as tf

COMPRESSION = "GZIP"


def write_shards(folder, signals, shards=16):
    options = tf.io.TFRecordOptions(compression_type=COMPRESSION)
    names = []
    for i in range(shards):
        names.append(os.path.join(folder, f"part-{i:03d}"))
        with tf.io.TFRecordWriter(names[-1], options) as writer:
            for row in signals[i::shards]:
                writer.write(row.astype("float32").tobytes())
    return names


def read_shards(names, width, batch_size):
    def decode(batch):
        rows = tf.ensure_shape(tf.io.decode_raw(batch, tf.float32), (None, width))
        return rows, rows

    ds = tf.data.TFRecordDataset(
        names, compression_type=COMPRESSION, num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(8192).batch(batch_size)
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    signals = np.load("/data/signals.npy", mmap_mode="r")
    width = signals.shape[1]
    model = tf.keras.Sequential([
        tf.keras.Input((width,)),
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dense(width),
    ])
    model.compile("adam", "mse")
    with tempfile.TemporaryDirectory(dir="/scratch") as tmp:
        names = write_shards(tmp, signals)
        model.fit(read_shards(names, width, 256), epochs=20)
    model.save("autoencoder.keras")


if __name__ == "__main__":
    main()
