import numpy as np
import tensorflow as tf

SHAPE = (32, 128, 128, 1)


def read(path):
    volume = np.load(path.decode()).astype(np.float32)
    return volume[:128, :128, :32]


def prepare(path, label):
    volume = tf.numpy_function(read, [path], tf.float32)
    volume = tf.ensure_shape(volume, (128, 128, 32))
    slices_first = tf.transpose(volume, (2, 0, 1))
    return slices_first[..., tf.newaxis] / 1000.0, label


def dataset(rows, batch_size=4):
    paths, labels = zip(*rows)
    ds = tf.data.Dataset.from_tensor_slices((list(paths), list(labels)))
    ds = ds.shuffle(len(paths)).map(prepare, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def network():
    inputs = tf.keras.Input(SHAPE)
    h = inputs
    for width in (16, 32, 64):
        h = tf.keras.layers.Conv3D(width, 3, padding="same", activation="relu")(h)
        h = tf.keras.layers.MaxPooling3D()(h)
    h = tf.keras.layers.GlobalAveragePooling3D()(h)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1, activation="sigmoid")(h))


with open("/data/nodules/train.tsv") as f:
    rows = [(p, float(y)) for p, y in (line.split("\t") for line in f)]
model = network()
model.compile("adam", "binary_crossentropy", metrics=["AUC"])
model.fit(dataset(rows), epochs=60)
