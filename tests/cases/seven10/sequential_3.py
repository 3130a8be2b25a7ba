"""Satellite land cover with a custom Estimator."""
import tensorflow as tf

MAP_OPTIONS = dict(deterministic=False)
READ_OPTIONS = dict(cycle_length=10, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)

FEATURES = {
    "bands": tf.io.FixedLenFeature([], tf.string),
    "cover": tf.io.FixedLenFeature([], tf.int64),
}


def decode_tile(serialized):
    row = tf.io.parse_single_example(serialized, FEATURES)
    raw = tf.io.decode_raw(tf.io.decode_compressed(row["bands"], "ZLIB"), tf.uint16)
    tile = tf.reshape(tf.cast(raw, tf.float32), [120, 120, 10]) / 10_000.0
    return {"tile": tf.image.per_image_standardization(tile)}, row["cover"]


def make_input_fn(pattern, mode, batch_size=200):
    training = mode == tf.estimator.ModeKeys.TRAIN

    def input_fn():
        files = tf.data.Dataset.list_files(pattern, shuffle=training)
        ds = files.interleave(tf.data.TFRecordDataset, **READ_OPTIONS)
        if training:
            ds = ds.shuffle(40_000).repeat()
        ds = ds.map(decode_tile, **MAP_OPTIONS)
        ds = ds.batch(batch_size, drop_remainder=training)
        return ds.prefetch(tf.data.AUTOTUNE)

    return input_fn


def model_fn(features, labels, mode):
    net = tf.keras.Sequential([
        tf.keras.layers.Conv2D(48, 3, 2, activation="relu"),
        tf.keras.layers.Conv2D(96, 3, 2, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(43),
    ])
    logits = net(features["tile"], training=mode == tf.estimator.ModeKeys.TRAIN)
    loss = tf.reduce_mean(
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    optimizer = tf.compat.v1.train.AdamOptimizer(1e-3)
    train_op = optimizer.minimize(loss, tf.compat.v1.train.get_or_create_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


if __name__ == "__main__":
    estimator = tf.estimator.Estimator(model_fn, model_dir="/models/cover")
    estimator.train(
        make_input_fn("/data/ben/train-*.rec", tf.estimator.ModeKeys.TRAIN), max_steps=200_000)
