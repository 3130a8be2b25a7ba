"""CIFAR style CNN in the graph/session way, kept for the old serving stack."""
import os

import numpy as np
import tensorflow.compat.v1 as tf

FLAGS = tf.app.flags.FLAGS
tf.app.flags.DEFINE_string("data_dir", "/data/galaxyzoo", "where the npy files are")
tf.app.flags.DEFINE_integer("batch_size", 100, "")
tf.app.flags.DEFINE_integer("max_steps", 20000, "")
tf.app.flags.DEFINE_string("logdir", "/tmp/galaxy", "")


def load_arrays(split):
    images = np.zeros((60000, 64, 64, 3), dtype=np.float32)
    for i in range(6):
        part = np.load(os.path.join(FLAGS.data_dir, "%s_%d.npy" % (split, i)))
        images[i * 10000:(i + 1) * 10000] = part.astype(np.float32) / 255.0
    labels = np.load(os.path.join(FLAGS.data_dir, "%s_labels.npy" % split)).astype(np.int32)
    return images, labels


def inputs(split):
    images, labels = load_arrays(split)
    ds = tf.data.Dataset.from_tensor_slices((images, labels))
    ds = ds.shuffle(20000).repeat().batch(FLAGS.batch_size).prefetch(2)
    return tf.data.make_one_shot_iterator(ds).get_next()


def inference(images):
    net = images
    for i, ch in enumerate((32, 64, 128)):
        w = tf.get_variable("w%d" % i, [3, 3, net.shape[-1], ch])
        net = tf.nn.relu(tf.nn.conv2d(net, w, strides=[1, 2, 2, 1], padding="SAME"))
    net = tf.reduce_mean(net, axis=[1, 2])
    w = tf.get_variable("w_out", [128, 10])
    return tf.matmul(net, w)


def main(_):
    with tf.Graph().as_default():
        step = tf.train.get_or_create_global_step()
        images, labels = inputs("train")
        logits = inference(images)
        loss = tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
        train_op = tf.train.MomentumOptimizer(0.01, 0.9).minimize(loss, global_step=step)
        hooks = [
            tf.train.StopAtStepHook(last_step=FLAGS.max_steps),
            tf.train.LoggingTensorHook({"loss": loss}, every_n_iter=200),
        ]
        with tf.train.MonitoredTrainingSession(checkpoint_dir=FLAGS.logdir, hooks=hooks) as sess:
            while not sess.should_stop():
                sess.run(train_op)


if __name__ == "__main__":
    tf.disable_eager_execution()
    tf.app.run()
