"""CIFAR-10/Tiny-ImageNet ResNet as a tf.estimator, in the manner of the old official models."""
import os

import tensorflow as tf
from absl import app, flags

flags.DEFINE_string("data_dir", "/data/tiny-imagenet", "")
flags.DEFINE_string("model_dir", "/ckpt/tiny", "")
flags.DEFINE_integer("batch_size", 256, "")
flags.DEFINE_integer("num_gpus", 4, "")
flags.DEFINE_enum("data_format", "channels_first", ["channels_first", "channels_last"],
                  "Layout used inside the model.")
FLAGS = flags.FLAGS

layers = tf.compat.v1.layers


def conv_bn(x, filters, kernel, strides, training, data_format):
    x = layers.conv2d(x, filters, kernel, strides, padding="same", use_bias=False,
                      data_format=data_format)
    axis = 1 if data_format == "channels_first" else 3
    return layers.batch_normalization(x, axis=axis, training=training, fused=True)


def network(images, classes, training, data_format):
    if data_format == "channels_first":
        images = tf.transpose(images, [0, 3, 1, 2])
    x = tf.nn.relu(conv_bn(images, 64, 3, 1, training, data_format))
    for i, f in enumerate((64, 128, 256, 512)):
        s = 2 if i else 1
        skip = conv_bn(x, f, 1, s, training, data_format)
        y = tf.nn.relu(conv_bn(x, f, 3, s, training, data_format))
        x = tf.nn.relu(skip + conv_bn(y, f, 3, 1, training, data_format))
    axes = [2, 3] if data_format == "channels_first" else [1, 2]
    return layers.dense(tf.reduce_mean(x, axes), classes)


def model_fn(features, labels, mode, params):
    training = mode == tf.estimator.ModeKeys.TRAIN
    logits = network(features, 200, training, params["data_format"])
    loss = tf.compat.v1.losses.sparse_softmax_cross_entropy(labels, logits)
    step = tf.compat.v1.train.get_or_create_global_step()
    lr = tf.compat.v1.train.cosine_decay(0.1, step, 120_000)
    opt = tf.compat.v1.train.MomentumOptimizer(lr, 0.9)
    updates = tf.compat.v1.get_collection(tf.compat.v1.GraphKeys.UPDATE_OPS)
    with tf.control_dependencies(updates):
        train_op = opt.minimize(loss, step)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def input_fn(data_dir, batch_size):
    def parse(rec):
        ex = tf.io.parse_single_example(rec, {
            "jpeg": tf.io.FixedLenFeature([], tf.string),
            "label": tf.io.FixedLenFeature([], tf.int64)})
        img = tf.io.decode_jpeg(ex["jpeg"], channels=3)
        img = tf.image.random_crop(tf.image.resize(img, [72, 72]), [64, 64, 3])
        return tf.image.random_flip_left_right(img) / 127.5 - 1.0, ex["label"]

    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(os.path.join(data_dir, "train-*")),
                                 num_parallel_reads=16)
    ds = ds.shuffle(50_000).repeat().map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main(_):
    devices = [f"/gpu:{i}" for i in range(FLAGS.num_gpus)]
    config = tf.estimator.RunConfig(
        train_distribute=tf.distribute.MirroredStrategy(devices), save_checkpoints_steps=5000)
    estimator = tf.estimator.Estimator(
        model_fn, FLAGS.model_dir, config, params={"data_format": FLAGS.data_format})
    estimator.train(
        lambda: input_fn(FLAGS.data_dir, FLAGS.batch_size // FLAGS.num_gpus), max_steps=120_000)


if __name__ == "__main__":
    app.run(main)
