import os

import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1
HP = {"batch": 128, "lr": 1e-3, "steps": 20000, "hidden": 512}


def fetch():
    (images, labels), _ = tf.keras.datasets.cifar10.load_data()
    images = (images.astype(np.float32) / 255.0).reshape(len(images), -1)
    return images, labels[:, 0].astype(np.int64)


def input_op(images, labels):
    pipe = tf1.data.Dataset.from_tensor_slices((images, labels))
    pipe = pipe.shuffle(50_000).repeat().batch(HP["batch"], drop_remainder=True)
    pipe = pipe.prefetch(2)
    return tf1.data.make_one_shot_iterator(pipe).get_next()


def dense(x, units, name, act=None):
    with tf1.variable_scope(name):
        w = tf1.get_variable("w", [x.shape[-1], units],
                             initializer=tf1.glorot_uniform_initializer())
        b = tf1.get_variable("b", [units], initializer=tf1.zeros_initializer())
    y = tf.matmul(x, w) + b
    return act(y) if act else y


def train(logdir):
    images, labels = fetch()
    with tf.Graph().as_default():
        x, y = input_op(images, labels)
        h = dense(x, HP["hidden"], "h1", tf.nn.relu)
        h = dense(h, HP["hidden"], "h2", tf.nn.relu)
        logits = dense(h, 10, "out")
        loss = tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
        step = tf1.train.get_or_create_global_step()
        train_op = tf1.train.AdamOptimizer(HP["lr"]).minimize(loss, global_step=step)

        hooks = [
            tf1.train.StopAtStepHook(last_step=HP["steps"]),
            tf1.train.LoggingTensorHook({"loss": loss}, every_n_iter=500),
        ]
        with tf1.train.MonitoredTrainingSession(
                checkpoint_dir=logdir, hooks=hooks, save_checkpoint_secs=600) as sess:
            while not sess.should_stop():
                sess.run(train_op)


if __name__ == "__main__":
    train(os.environ.get("LOGDIR", "/tmp/mlp"))
