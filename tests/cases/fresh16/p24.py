"""Point cloud classification; the pipeline is listed in the experiment file as (name, options)."""
import tensorflow as tf

AUTO = tf.data.AUTOTUNE
POINTS = 1024


def parse(blobs):
    rows = tf.io.parse_example(blobs, {
        "xyz": tf.io.FixedLenFeature([POINTS * 3], tf.float32),
        "shape_id": tf.io.FixedLenFeature([], tf.int64),
    })
    return tf.reshape(rows["xyz"], [-1, POINTS, 3]), rows["shape_id"]


def jitter(xyz, shape_id):
    return xyz + tf.random.normal(tf.shape(xyz), stddev=0.01), shape_id


PIPELINE = {
    "train": [
        ("shuffle", dict(buffer_size=9843)),
        ("batch", dict(batch_size=32, drop_remainder=True)),
        ("map", dict(map_func=parse, num_parallel_calls=AUTO)),
        ("map", dict(map_func=jitter, num_parallel_calls=AUTO)),
        ("prefetch", dict(buffer_size=AUTO)),
    ],
    "test": [
        ("batch", dict(batch_size=64)),
        ("map", dict(map_func=parse, num_parallel_calls=AUTO)),
        ("prefetch", dict(buffer_size=AUTO)),
    ],
}


def assemble(split):
    files = tf.data.Dataset.list_files(f"modelnet40/{split}-*.tfrec")
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTO)
    for name, options in PIPELINE[split]:
        ds = getattr(ds, name)(**options)
    return ds


def pointnet(classes=40):
    inp = tf.keras.Input((POINTS, 3))
    x = inp
    for width in (64, 128, 1024):
        x = tf.keras.layers.Conv1D(width, 1)(x)
        x = tf.keras.layers.BatchNormalization()(x)
        x = tf.keras.layers.ReLU()(x)
    x = tf.keras.layers.GlobalMaxPooling1D()(x)
    x = tf.keras.layers.Dense(256, activation="relu")(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(classes, activation="softmax")(x))


if __name__ == "__main__":
    model = pointnet()
    model.compile("adam", "sparse_categorical_crossentropy", ["accuracy"])
    model.fit(assemble("train"), validation_data=assemble("test"), epochs=60)
