"""CIFAR's binary files hold planes; the network reads interleaved pixels."""
import tensorflow as tf

RECORD = 1 + 3 * 32 * 32


def unpack(records):
    raw = tf.io.decode_raw(records, tf.uint8)
    labels = tf.cast(raw[:, 0], tf.int32)
    planes = tf.reshape(raw[:, 1:], [-1, 3, 32, 32])
    images = tf.transpose(planes, perm=[0, 2, 3, 1])
    return tf.cast(images, tf.float32) / 255.0, labels


def cifar(pattern, batch_size):
    files = tf.io.gfile.glob(pattern)
    ds = tf.data.FixedLengthRecordDataset(files, RECORD, num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(50_000).batch(batch_size, drop_remainder=True)
    return ds.map(unpack, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def network(image_format="channels_last"):
    options = dict(padding="same", activation="relu", data_format=image_format)
    return tf.keras.Sequential([
        tf.keras.Input((32, 32, 3)),
        tf.keras.layers.Conv2D(64, 3, **options),
        tf.keras.layers.MaxPool2D(data_format=image_format),
        tf.keras.layers.Conv2D(128, 3, **options),
        tf.keras.layers.GlobalAveragePooling2D(data_format=image_format),
        tf.keras.layers.Dense(10),
    ])


if __name__ == "__main__":
    model = network()
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(cifar("/data/cifar-10-batches-bin/data_batch_*.bin", 512), epochs=40)
