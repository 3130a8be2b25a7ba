import dataclasses
import glob

import tensorflow as tf


@dataclasses.dataclass(frozen=True)
class Host:
    count: int
    index: int


def decode(raw):
    values = tf.io.decode_raw(raw, tf.uint8)
    label = tf.cast(values[0], tf.int32)
    image = tf.transpose(tf.reshape(values[1:], (3, 32, 32)), (1, 2, 0))
    return tf.cast(image, tf.float32) / 255.0, label


def cifar(pattern, host: Host, batch):
    ds = tf.data.FixedLengthRecordDataset(sorted(glob.glob(pattern)), record_bytes=3073)
    ds = ds.shard(host.count, host.index)
    ds = ds.shuffle(10000)
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    import sys
    host = Host(int(sys.argv[1]), int(sys.argv[2]))
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(10, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(cifar("cifar-10-batches-bin/data_batch_*.bin", host, 128), epochs=10)
