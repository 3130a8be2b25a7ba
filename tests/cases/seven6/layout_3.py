import tensorflow as tf
from absl import app, flags

FLAGS = flags.FLAGS
flags.DEFINE_string("records", "/data/tinyimagenet/train-*", "")
flags.DEFINE_integer("epochs", 120, "")


class ConvNorm(tf.Module):
    def __init__(self, cin, cout, stride=1):
        super().__init__()
        self.w = tf.Variable(tf.random.normal([3, 3, cin, cout], stddev=(2.0 / (9 * cin)) ** 0.5))
        self.b = tf.Variable(tf.zeros([cout]))
        self.stride = stride

    def __call__(self, x):
        w = tf.cast(self.w, x.dtype)
        x = tf.nn.conv2d(x, w, strides=[1, 1, self.stride, self.stride],
                         padding="SAME", data_format="NCHW")
        x = tf.nn.bias_add(x, tf.cast(self.b, x.dtype), data_format="NCHW")
        return tf.nn.relu(x)


class PlainNet(tf.Module):
    def __init__(self, classes):
        super().__init__()
        widths = [3, 64, 128, 128, 256, 256, 512]
        self.convs = [ConvNorm(a, b, 2 if b > a else 1) for a, b in zip(widths, widths[1:])]
        self.out = tf.Variable(tf.random.normal([512, classes], stddev=0.01))

    def __call__(self, x):
        x = tf.cast(x, tf.float16)
        for conv in self.convs:
            x = conv(x)
        return tf.matmul(tf.cast(tf.reduce_mean(x, [2, 3]), tf.float32), self.out)


def parse(raw):
    ex = tf.io.parse_single_example(raw, {
        "jpeg": tf.io.FixedLenFeature([], tf.string), "label": tf.io.FixedLenFeature([], tf.int64)})
    return tf.ensure_shape(tf.io.decode_jpeg(ex["jpeg"], channels=3), (64, 64, 3)), ex["label"]


def to_chw(images, labels):
    return tf.transpose(tf.cast(images, tf.float32) / 255.0, [0, 3, 1, 2]), labels


def main(_):
    ds = tf.data.Dataset.list_files(FLAGS.records)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(20_000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(512, drop_remainder=True).map(to_chw, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.prefetch(tf.data.AUTOTUNE)
    net, opt = PlainNet(200), tf.keras.optimizers.SGD(0.05, momentum=0.9)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, net(x)))
        opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        return loss

    for epoch in range(FLAGS.epochs):
        for x, y in ds:
            loss = step(x, y)
        print(epoch, float(loss))


if __name__ == "__main__":
    app.run(main)
