import argparse

import tensorflow as tf

COLUMNS = [f"f{i}" for i in range(40)]


def parse_rows(lines):
    fields = tf.io.decode_csv(lines, [0.0] * 41)
    return tf.stack(fields[1:], axis=1), fields[0]


def make_input_fn(pattern, batch_size, training):
    def input_fn():
        files = tf.data.Dataset.list_files(pattern, shuffle=training)
        ds = files.interleave(
            lambda f: tf.data.TextLineDataset(f).skip(1),
            cycle_length=8,
            num_parallel_calls=tf.data.experimental.AUTOTUNE,
        )
        if training:
            ds = ds.shuffle(100000).repeat()
        ds = ds.batch(batch_size)
        return ds.map(parse_rows, num_parallel_calls=tf.data.experimental.AUTOTUNE)

    return input_fn


def model_fn(features, labels, mode):
    net = tf.compat.v1.layers.dense(features, 256, activation=tf.nn.relu)
    logits = tf.squeeze(tf.compat.v1.layers.dense(net, 1), axis=1)
    loss = tf.compat.v1.losses.sigmoid_cross_entropy(labels, logits)
    train_op = tf.compat.v1.train.AdamOptimizer(1e-3).minimize(
        loss, global_step=tf.compat.v1.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--train", default="/data/criteo/train-*.csv")
    p.add_argument("--eval", default="/data/criteo/eval-*.csv")
    p.add_argument("--batch_size", type=int, default=2048)
    args = p.parse_args()
    est = tf.estimator.Estimator(model_fn, "/tmp/criteo")
    tf.estimator.train_and_evaluate(
        est,
        tf.estimator.TrainSpec(
            make_input_fn(args.train, args.batch_size, True), max_steps=300000),
        tf.estimator.EvalSpec(
            make_input_fn(args.eval, args.batch_size, False), steps=500),
    )


if __name__ == "__main__":
    main()
