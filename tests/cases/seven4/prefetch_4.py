import tensorflow as tf

PARAMS = {"batch_size": 512, "hidden": [512, 256, 128], "buffer": 200_000, "pattern": "/data/criteo/%s-*.gz"}
COLUMNS = ["label"] + [f"I{i}" for i in range(1, 14)] + [f"C{i}" for i in range(1, 27)]
DEFAULTS = [[0]] + [[0.0]] * 13 + [[""]] * 26


def make_input_fn(split, training):
    def parse(lines):
        values = tf.io.decode_csv(lines, DEFAULTS, field_delim="\t")
        features = dict(zip(COLUMNS, values))
        label = features.pop("label")
        return features, label

    def input_fn(params):
        files = tf.data.Dataset.list_files(params["pattern"] % split, shuffle=training)
        ds = files.interleave(
            lambda f: tf.data.TextLineDataset(f, compression_type="GZIP"),
            cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
        if training:
            ds = ds.shuffle(params["buffer"])
        ds = ds.batch(params["batch_size"]).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        if training:
            ds = ds.repeat()
        return ds

    return input_fn


def model_fn(features, labels, mode, params):
    numeric = tf.stack([features[f"I{i}"] for i in range(1, 14)], axis=1)
    hashed = [tf.strings.to_hash_bucket_fast(features[f"C{i}"], 100_000) for i in range(1, 27)]
    table = tf.compat.v1.get_variable("table", [100_000, 32])
    net = tf.concat([tf.math.asinh(numeric)] + [tf.nn.embedding_lookup(table, h) for h in hashed], axis=1)
    for units in params["hidden"]:
        net = tf.compat.v1.layers.dense(net, units, activation=tf.nn.relu)
    logits = tf.compat.v1.layers.dense(net, 1)[:, 0]
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(tf.cast(labels, tf.float32), logits))
    step = tf.compat.v1.train.get_global_step()
    train_op = tf.compat.v1.train.AdagradOptimizer(0.05).minimize(loss, global_step=step)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


if __name__ == "__main__":
    estimator = tf.estimator.Estimator(model_fn, "/models/criteo", params=PARAMS)
    tf.estimator.train_and_evaluate(
        estimator,
        tf.estimator.TrainSpec(make_input_fn("train", True), max_steps=500_000),
        tf.estimator.EvalSpec(make_input_fn("valid", False), steps=200))
