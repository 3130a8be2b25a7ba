import numpy as np
import tensorflow as tf

BATCH_SIZE = 128
STEPS = 2000

(train_x, train_y), (test_x, test_y) = tf.keras.datasets.mnist.load_data()
train_x = train_x.reshape(-1, 784).astype(np.float32) / 255.0
test_x = test_x.reshape(-1, 784).astype(np.float32) / 255.0
train_y = train_y.astype(np.int32)
test_y = test_y.astype(np.int32)


def ndarray_iters(images, labels, training):
    dataset = tf.data.Dataset.from_tensor_slices((images, labels))
    if training:
        dataset = dataset.shuffle(60000).repeat()
    dataset = dataset.batch(BATCH_SIZE)
    return dataset.map(lambda x, y: ({"images": x}, y)).prefetch(1)


def conv_net(features, is_training):
    layers = tf.compat.v1.layers
    x = tf.reshape(features["images"], [-1, 28, 28, 1])
    x = layers.conv2d(x, 32, 5, activation=tf.nn.relu)
    x = layers.max_pooling2d(x, 2, 2)
    x = layers.conv2d(x, 64, 3, activation=tf.nn.relu)
    x = layers.max_pooling2d(x, 2, 2)
    x = layers.dense(layers.flatten(x), 1024)
    x = layers.dropout(x, rate=0.25, training=is_training)
    return layers.dense(x, 10)


def model_fn(features, labels, mode):
    logits = conv_net(features, mode == tf.estimator.ModeKeys.TRAIN)
    loss = tf.compat.v1.losses.sparse_softmax_cross_entropy(labels, logits)
    train_op = tf.compat.v1.train.AdamOptimizer(1e-3).minimize(
        loss, global_step=tf.compat.v1.train.get_global_step())
    accuracy = tf.compat.v1.metrics.accuracy(labels, tf.argmax(logits, axis=1))
    return tf.estimator.EstimatorSpec(
        mode, loss=loss, train_op=train_op, eval_metric_ops={"accuracy": accuracy})


model = tf.estimator.Estimator(model_fn, model_dir="mnist_ckpt")
model.train(lambda: ndarray_iters(train_x, train_y, True), steps=STEPS)
print(model.evaluate(lambda: ndarray_iters(test_x, test_y, False)))
