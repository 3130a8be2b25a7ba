from dataclasses import dataclass

import tensorflow as tf


@dataclass
class Config:
    pattern: str = "/svhn/train-*.tfrecord"
    data_format: str = "NCHW"
    batch: int = 128
    steps: int = 30_000
    lr: float = 0.01


class Net(tf.Module):
    def __init__(self, fmt):
        super().__init__()
        init = tf.initializers.HeNormal()
        self.fmt = fmt
        self.k1 = tf.Variable(init([5, 5, 3, 32]))
        self.b1 = tf.Variable(tf.zeros([32]))
        self.k2 = tf.Variable(init([5, 5, 32, 64]))
        self.b2 = tf.Variable(tf.zeros([64]))
        self.w = tf.Variable(init([64, 10]))

    def __call__(self, x):
        for k, b in ((self.k1, self.b1), (self.k2, self.b2)):
            x = tf.nn.conv2d(x, k, 1, "SAME", data_format=self.fmt)
            x = tf.nn.relu(tf.nn.bias_add(x, b, data_format=self.fmt))
            x = tf.nn.max_pool2d(x, 2, 2, "SAME", data_format=self.fmt)
        axes = [2, 3] if self.fmt == "NCHW" else [1, 2]
        return tf.reduce_mean(x, axes) @ self.w


def pipeline(cfg):
    def parse(rec):
        ex = tf.io.parse_single_example(rec, {
            "png": tf.io.FixedLenFeature([], tf.string), "digit": tf.io.FixedLenFeature([], tf.int64)})
        img = tf.reshape(tf.io.decode_png(ex["png"], 3), [32, 32, 3])
        img = tf.image.per_image_standardization(img)
        if cfg.data_format == "NCHW":
            img = tf.transpose(img, perm=(2, 0, 1))
        return img, ex["digit"]

    files = tf.data.Dataset.list_files(cfg.pattern, shuffle=True)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(20_000).repeat().map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(cfg.batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def train(cfg):
    net, opt = Net(cfg.data_format), tf.keras.optimizers.SGD(cfg.lr)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, net(x)))
        v = net.trainable_variables
        opt.apply_gradients(zip(tape.gradient(loss, v), v))
        return loss

    for i, (x, y) in enumerate(pipeline(cfg).take(cfg.steps)):
        loss = step(x, y)
        if i % 500 == 0:
            print(i, float(loss))


if __name__ == "__main__":
    train(Config())
