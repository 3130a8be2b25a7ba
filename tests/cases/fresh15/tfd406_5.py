import glob

import tensorflow as tf

SPEC = {
    "points": tf.io.FixedLenFeature([1024 * 3], tf.float32),
    "shape": tf.io.FixedLenFeature([], tf.int64),
    "quality": tf.io.FixedLenFeature([], tf.float32),
}


def parse(record):
    ex = tf.io.parse_single_example(record, SPEC)
    return tf.reshape(ex["points"], (1024, 3)), ex["shape"], ex["quality"]


def good(points, shape, quality):
    return quality > 0.8


def clouds(pattern):
    files = glob.glob(pattern)
    ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files))
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.filter(good)
    ds = ds.map(lambda p, s, q: (p, s), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.cache()


def pointnet(classes=40):
    layers = tf.keras.layers
    inputs = tf.keras.Input((1024, 3))
    x = inputs
    for width in (64, 128, 1024):
        x = layers.Conv1D(width, 1)(x)
        x = layers.BatchNormalization()(x)
        x = layers.ReLU()(x)
    x = layers.GlobalMaxPooling1D()(x)
    x = layers.Dense(256, activation="relu")(x)
    return tf.keras.Model(inputs, layers.Dense(classes, activation="softmax")(x))


def main(batch_size=32, epochs=50):
    kept = clouds("/data/modelnet40/train-*.tfrecord")
    n = int(kept.reduce(tf.constant(0, tf.int64), lambda c, _: c + 1))
    print("kept", n, "clouds")
    train = kept.shuffle(n).batch(batch_size).prefetch(tf.data.AUTOTUNE)
    rate = tf.keras.optimizers.schedules.CosineDecay(1e-3, epochs * (n // batch_size))
    model = pointnet()
    model.compile(tf.keras.optimizers.Adam(rate), "sparse_categorical_crossentropy")
    model.fit(train, epochs=epochs)


if __name__ == "__main__":
    main()
