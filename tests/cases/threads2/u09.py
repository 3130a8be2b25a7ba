import time

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()

NUM_DATA = 1000
NUM_EPOCHS = 50
BATCH_SIZE = 32


def load():
    x = np.random.RandomState(0).rand(NUM_DATA, 20).astype("float32")
    y = (x.sum(axis=1) > 10).astype("float32")
    return x, y


def model(x, y):
    w = tf.get_variable("w", [20, 1])
    b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
    logits = tf.squeeze(tf.matmul(x, w) + b, axis=1)
    return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))


def main():
    x, y = load()
    dataset = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(NUM_DATA).batch(BATCH_SIZE)

    x_in = tf.placeholder(tf.float32, [None, 20])
    y_in = tf.placeholder(tf.float32, [None])
    loss = model(x_in, y_in)
    train_op = tf.train.AdamOptimizer(1e-3).minimize(loss)

    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for epoch in range(NUM_EPOCHS):
            start = time.time()
            # every epoch must end with its own, smaller batch
            iterator = tf.data.make_one_shot_iterator(dataset)
            next_batch = iterator.get_next()
            while True:
                try:
                    bx, by = sess.run(next_batch)
                except tf.errors.OutOfRangeError:
                    break
                value, _ = sess.run([loss, train_op], {x_in: bx, y_in: by})
            print("epoch", epoch, "loss", value, "seconds", time.time() - start)


if __name__ == "__main__":
    main()
