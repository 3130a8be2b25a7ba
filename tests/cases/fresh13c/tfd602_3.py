"""ECG network: biases are kept only where they matter."""
import tensorflow as tf
from tensorflow.keras import layers


def stem(x):
    x = layers.Conv1D(64, 15, strides=2, padding="same", use_bias=False)(x)
    x = layers.BatchNormalization()(x)
    return layers.ReLU()(x)


def body(x, width):
    y = layers.Conv1D(width, 7, padding="same", activation="relu")(x)
    y = layers.BatchNormalization()(y)
    y = layers.SeparableConv1D(width, 7, padding="same", use_bias=False)(y)
    y = layers.BatchNormalization()(y)
    skip = layers.Conv1D(width, 1)(x)
    return layers.MaxPooling1D(4)(layers.Add()([y, skip]))


def head(x, classes):
    x = layers.GlobalAveragePooling1D()(x)
    x = layers.Dense(128)(x)
    x = layers.LayerNormalization()(x)
    return layers.Dense(classes, activation="sigmoid")(layers.ReLU()(x))


def build(samples=5000, leads=12, classes=27):
    inp = tf.keras.Input((samples, leads))
    x = stem(inp)
    for width in (64, 128, 256):
        x = body(x, width)
    return tf.keras.Model(inp, head(x, classes))


def recordings(pattern, batch=64):
    spec = {"signal": tf.io.FixedLenFeature([5000, 12], tf.float32), "dx": tf.io.FixedLenFeature([27], tf.float32)}

    def parse(raw):
        ex = tf.io.parse_single_example(raw, spec)
        return ex["signal"], ex["dx"]

    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE,
                       deterministic=False)
    ds = ds.shuffle(4000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    net = build()
    net.compile("adam", "binary_crossentropy", metrics=[tf.keras.metrics.AUC(multi_label=True)])
    net.fit(recordings("/data/physionet/train-*.tfrecord"), epochs=50)
