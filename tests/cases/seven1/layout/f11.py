import keras
import tensorflow as tf
from keras import layers, ops

SPEC = {
    "volume": tf.io.FixedLenFeature([32 * 64 * 64 * 2], tf.float32),
    "grade": tf.io.FixedLenFeature([], tf.int64),
}


def parse(serialized):
    ex = tf.io.parse_example(serialized, SPEC)
    volume = tf.reshape(ex["volume"], (-1, 32, 64, 64, 2))
    return ops.moveaxis(volume, -1, 1), ex["grade"]


def volumes(pattern, batch_size):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(2_000).batch(batch_size, drop_remainder=True)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def conv3d(width):
    return layers.Conv3D(width, 3, strides=2, padding="same", activation="relu", data_format="channels_first")


def classifier(grades):
    return keras.Sequential([
        keras.Input((2, 32, 64, 64)),
        conv3d(16),
        conv3d(32),
        conv3d(64),
        layers.GlobalAveragePooling3D(data_format="channels_first"),
        layers.Dense(grades, activation="softmax"),
    ])


model = classifier(5)
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(volumes("/data/mri/*.tfrecord", 8), epochs=60)
