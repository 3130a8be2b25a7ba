"""Traffic sign Estimator, in the manner of the old official ResNet."""
import argparse

import tensorflow as tf

v1 = tf.compat.v1


def conv(inputs, filters, strides, training, data_format):
    x = v1.layers.conv2d(inputs, filters, 3, strides=strides, padding="same",
                         use_bias=False, data_format=data_format)
    x = v1.layers.batch_normalization(x, axis=1, training=training, fused=True)
    return tf.nn.relu(x)


def model_fn(features, labels, mode, params):
    training = mode == tf.estimator.ModeKeys.TRAIN
    data_format = "channels_first"  # faster on GPU
    x = tf.transpose(features, [0, 3, 1, 2])
    for filters, strides in ((64, 2), (64, 1), (128, 2), (256, 2), (512, 2)):
        x = conv(x, filters, strides, training, data_format)
    logits = v1.layers.dense(tf.reduce_mean(x, axis=[2, 3]), params["classes"])
    loss = v1.losses.sparse_softmax_cross_entropy(labels, logits)
    step = v1.train.get_or_create_global_step()
    opt = v1.train.MomentumOptimizer(params["lr"], 0.9)
    opt = v1.train.experimental.enable_mixed_precision_graph_rewrite(opt)
    update_ops = v1.get_collection(v1.GraphKeys.UPDATE_OPS)
    train_op = tf.group(opt.minimize(loss, step), update_ops)
    accuracy = v1.metrics.accuracy(labels, tf.argmax(logits, axis=1))
    return tf.estimator.EstimatorSpec(
        mode, loss=loss, train_op=train_op, eval_metric_ops={"accuracy": accuracy})


def input_fn(pattern, batch_size):
    def parse(raw):
        ex = tf.io.parse_single_example(raw, {
            "png": tf.io.FixedLenFeature([], tf.string),
            "sign": tf.io.FixedLenFeature([], tf.int64)})
        img = tf.image.resize(tf.io.decode_png(ex["png"], channels=3), (128, 128))
        return tf.image.random_brightness(img, 32.0) / 255.0, ex["sign"]

    ds = tf.data.Dataset.list_files(pattern).repeat()
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(5000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--train", default="/data/gtsrb/train-*")
    parser.add_argument("--model-dir", default="/models/gtsrb")
    args = parser.parse_args()
    estimator = tf.estimator.Estimator(
        model_fn, args.model_dir, params={"classes": 43, "lr": 0.05})
    estimator.train(lambda: input_fn(args.train, 256), max_steps=50_000)


if __name__ == "__main__":
    main()
