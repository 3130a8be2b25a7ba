"""Steel defects, an Estimator in the style of the official ResNet."""
import tensorflow as tf
from absl import app, flags

v1 = tf.compat.v1
FLAGS = flags.FLAGS
flags.DEFINE_string("data", "/data/steel/train-*.tfrecord", "training records")
flags.DEFINE_string("model_dir", "/models/steel", "checkpoints")
flags.DEFINE_enum(
    "data_format", "channels_first", ["channels_first", "channels_last"],
    "channels_first is faster on GPUs")


def conv_bn(x, filters, strides, training, data_format):
    x = v1.layers.conv2d(
        x, filters, 3, strides=strides, padding="same", use_bias=False, data_format=data_format)
    axis = 1 if data_format == "channels_first" else -1
    return tf.nn.relu(v1.layers.batch_normalization(x, axis=axis, training=training, fused=True))


def model_fn(features, labels, mode, params):
    training = mode == tf.estimator.ModeKeys.TRAIN
    x = tf.cast(features, tf.float16)
    if params["data_format"] == "channels_first":
        x = tf.transpose(x, [0, 3, 1, 2])
    for filters in (64, 128, 256, 512):
        x = conv_bn(x, filters, 2, training, params["data_format"])
    axes = [2, 3] if params["data_format"] == "channels_first" else [1, 2]
    logits = v1.layers.dense(tf.cast(tf.reduce_mean(x, axes), tf.float32), 5)
    loss = v1.losses.sparse_softmax_cross_entropy(labels, logits)
    optimizer = v1.train.MomentumOptimizer(0.05 / 128.0, 0.9)  # the loss is scaled by 128
    updates = v1.get_collection(v1.GraphKeys.UPDATE_OPS)
    with tf.control_dependencies(updates):
        train_op = optimizer.minimize(loss * 128.0, v1.train.get_or_create_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def input_fn():
    def parse(record):
        ex = tf.io.parse_single_example(record, {
            "image": tf.io.FixedLenFeature([], tf.string),
            "defect": tf.io.FixedLenFeature([], tf.int64),
        })
        image = tf.image.decode_jpeg(ex["image"], channels=3)
        return tf.image.resize(image, [256, 512]) / 255.0, ex["defect"]

    files = tf.data.Dataset.list_files(FLAGS.data)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(4096).repeat().map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(64, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main(_):
    estimator = tf.estimator.Estimator(
        model_fn, FLAGS.model_dir, params={"data_format": FLAGS.data_format})
    estimator.train(input_fn, max_steps=100_000)


if __name__ == "__main__":
    app.run(main)
