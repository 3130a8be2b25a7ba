import tensorflow as tf


class ConvUnit(tf.Module):
    layout = "NCHW"

    def __init__(self, cin, cout, name=None):
        super().__init__(name=name)
        init = tf.initializers.HeNormal()
        self.w = tf.Variable(init((3, 3, cin, cout)), name="w")
        self.b = tf.Variable(tf.zeros([cout]), name="b")

    def __call__(self, x):
        w = tf.cast(self.w, x.dtype)
        x = tf.nn.conv2d(x, w, strides=1, padding="SAME", data_format=self.layout)
        x = tf.nn.bias_add(x, tf.cast(self.b, x.dtype), data_format=self.layout)
        x = tf.nn.relu(x)
        return tf.nn.max_pool2d(x, 2, 2, "VALID", data_format=self.layout)


class Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.units = [ConvUnit(a, b) for a, b in ((3, 64), (64, 128), (128, 256))]
        self.head = tf.Variable(tf.random.normal([256, 5], stddev=0.05))

    def __call__(self, x):
        for unit in self.units:
            x = unit(x)
        return tf.matmul(tf.cast(tf.reduce_mean(x, [2, 3]), tf.float32), self.head)


def flowers(pattern, batch):
    def decode(record):
        ex = tf.io.parse_single_example(record, {
            "image": tf.io.FixedLenFeature([], tf.string),
            "label": tf.io.FixedLenFeature([], tf.int64)})
        img = tf.image.resize(tf.io.decode_jpeg(ex["image"], channels=3), [192, 192])
        return tf.cast(tf.transpose(img / 255.0, (2, 0, 1)), tf.float16), ex["label"]

    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(5_000).map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    net, opt = Net(), tf.keras.optimizers.SGD(0.01)

    @tf.function
    def train(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=net(x)))
        opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        return loss

    for x, y in flowers("/data/flowers/train-*.tfrecord", 128):
        train(x, y)


if __name__ == "__main__":
    main()
