import tensorflow as tf
from tensorflow.keras import layers, mixed_precision

mixed_precision.set_global_policy("mixed_float16")

STORED_LAYOUT = "channels_first"
MODEL_LAYOUT = "channels_last"
PERMUTATIONS = {
    ("channels_first", "channels_last"): [1, 2, 0],
    ("channels_last", "channels_first"): [2, 0, 1],
}


def relayout(tile, source, target):
    if source == target:
        return tile
    return tf.transpose(tile, PERMUTATIONS[source, target])


def parse(record):
    ex = tf.io.parse_single_example(record, {
        "tile": tf.io.FixedLenFeature([4 * 128 * 128], tf.float32),
        "cloud": tf.io.FixedLenFeature([], tf.float32),
    })
    tile = tf.reshape(ex["tile"], [4, 128, 128])
    return relayout(tile, STORED_LAYOUT, MODEL_LAYOUT), ex["cloud"]


def dataset(pattern, batch_size=128):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(8192).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def network():
    x = inputs = tf.keras.Input((128, 128, 4))
    for filters in (32, 64, 128):
        x = layers.Conv2D(filters, 3, activation="relu", data_format=MODEL_LAYOUT)(x)
        x = layers.MaxPooling2D(data_format=MODEL_LAYOUT)(x)
    x = layers.GlobalAveragePooling2D(data_format=MODEL_LAYOUT)(x)
    return tf.keras.Model(inputs, layers.Dense(1, activation="sigmoid", dtype="float32")(x))


if __name__ == "__main__":
    model = network()
    model.compile("adam", "binary_crossentropy", ["accuracy"])
    model.fit(dataset("/data/38cloud/train-*.tfrecord"), epochs=40)
