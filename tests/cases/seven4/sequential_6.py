import argparse

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


class Decoder(object):
    """Reads a face and its landmarks from one Example."""

    def __init__(self, side, points):
        self.side = side
        self.spec = {"image": tf.FixedLenFeature([], tf.string),
                     "points": tf.FixedLenFeature([points * 2], tf.float32)}

    def __call__(self, serialized):
        parsed = tf.parse_single_example(serialized, self.spec)
        face = tf.image.decode_jpeg(parsed["image"], channels=3, ratio=1)
        face = tf.image.random_brightness(tf.image.resize_images(face, [self.side, self.side]), 32.0)
        return tf.image.per_image_standardization(face), parsed["points"]


def main(args):
    dataset = tf.data.TFRecordDataset(tf.gfile.Glob(args.pattern), num_parallel_reads=8)
    dataset = dataset.shuffle(10000).repeat()
    dataset = dataset.map(map_func=Decoder(args.side, 68))
    dataset = dataset.batch(args.batch, drop_remainder=True).prefetch(2)
    iterator = tf.data.make_initializable_iterator(dataset)
    faces, points = iterator.get_next()

    net = faces
    for width in (32, 64, 128, 256):
        net = tf.layers.conv2d(net, width, 3, activation=tf.nn.relu)
        net = tf.layers.max_pooling2d(net, 2, 2)
    guess = tf.layers.dense(tf.reduce_mean(net, [1, 2]), 136)
    loss = tf.losses.huber_loss(points, guess)
    train_op = tf.train.AdamOptimizer(1e-3).minimize(loss, global_step=tf.train.get_or_create_global_step())

    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), iterator.initializer])
        for step in range(args.steps):
            _, value = sess.run([train_op, loss])
            if step % 500 == 0:
                print("step %d loss %.4f" % (step, value))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--pattern", default="/data/300w/train-*.tfrecord")
    parser.add_argument("--side", type=int, default=160)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--steps", type=int, default=300000)
    main(parser.parse_args())
