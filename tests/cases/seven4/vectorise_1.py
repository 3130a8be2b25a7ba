import functools

import tensorflow as tf

FEATURES = {
    "user": tf.io.FixedLenFeature([], tf.int64),
    "item": tf.io.FixedLenFeature([], tf.int64),
    "hour": tf.io.FixedLenFeature([], tf.float32),
    "dense": tf.io.FixedLenFeature([24], tf.float32),
    "click": tf.io.FixedLenFeature([], tf.float32),
}


def parse(record):
    row = tf.io.parse_single_example(record, FEATURES)
    click = row.pop("click")
    row["dense"] = tf.math.log1p(tf.maximum(row["dense"], 0.0))
    row["hour"] = tf.stack([tf.sin(row["hour"] * 0.2618), tf.cos(row["hour"] * 0.2618)])
    return row, click


def input_fn(pattern, batch_size=2048, shuffle=True):
    ds = tf.data.Dataset.list_files(pattern, shuffle=shuffle)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
    if shuffle:
        ds = ds.shuffle(500_000).repeat()
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size, drop_remainder=shuffle)
    return ds.prefetch(tf.data.AUTOTUNE)


def model_fn(features, labels, mode):
    tables = [tf.compat.v1.get_variable(n, [1_000_000, 64]) for n in ("user", "item")]
    net = tf.concat([tf.nn.embedding_lookup(t, features[n] % 1_000_000) for t, n in zip(tables, ("user", "item"))]
                    + [features["dense"], features["hour"]], axis=1)
    for units in (512, 256, 64):
        net = tf.compat.v1.layers.dense(net, units, tf.nn.relu)
    logits = tf.compat.v1.layers.dense(net, 1)[:, 0]
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels, logits))
    train_op = tf.compat.v1.train.AdamOptimizer().minimize(loss, tf.compat.v1.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


if __name__ == "__main__":
    estimator = tf.estimator.Estimator(model_fn, "/models/ctr")
    train = functools.partial(input_fn, "/data/ctr/train-*")
    valid = functools.partial(input_fn, "/data/ctr/valid-*", shuffle=False)
    tf.estimator.train_and_evaluate(estimator, tf.estimator.TrainSpec(train, max_steps=1_000_000),
                                    tf.estimator.EvalSpec(valid, steps=100))
