"""Low-level convolutions in a tf.Module, half precision."""
import tensorflow as tf

FORMAT = "NCHW"


class Conv(tf.Module):
    def __init__(self, cin, cout, name=None):
        super().__init__(name)
        init = tf.random.normal((3, 3, cin, cout), stddev=(2.0 / (9 * cin)) ** 0.5)
        self.w = tf.Variable(init)
        self.b = tf.Variable(tf.zeros(cout))

    def __call__(self, x):
        w, b = tf.cast(self.w, x.dtype), tf.cast(self.b, x.dtype)
        x = tf.nn.conv2d(x, w, strides=1, padding="SAME", data_format=FORMAT)
        x = tf.nn.relu(tf.nn.bias_add(x, b, data_format=FORMAT))
        return tf.nn.max_pool2d(x, 2, 2, "VALID", data_format=FORMAT)


class Net(tf.Module):
    def __init__(self, widths=(3, 64, 128, 256), classes=100):
        super().__init__()
        self.convs = [Conv(a, b) for a, b in zip(widths, widths[1:])]
        self.head = tf.Variable(tf.random.normal((widths[-1], classes), stddev=0.05))

    def __call__(self, images):
        x = tf.cast(tf.transpose(images, (0, 3, 1, 2)), tf.float16)
        for conv in self.convs:
            x = conv(x)
        return tf.cast(tf.reduce_mean(x, axis=(2, 3)), tf.float32) @ self.head


def decode(record):
    ex = tf.io.parse_single_example(record, {
        "png": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64),
    })
    image = tf.ensure_shape(tf.io.decode_png(ex["png"], channels=3), (96, 96, 3))
    return tf.image.random_flip_left_right(tf.cast(image, tf.float32) / 255.0), ex["label"]


net, lr = Net(), 0.05


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        logits = net(images)
        loss = tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    for v, g in zip(net.trainable_variables, tape.gradient(loss, net.trainable_variables)):
        v.assign_sub(lr * g)
    return loss


files = tf.data.Dataset.list_files("/data/tiny/train-*.tfrecord")
ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(20_000).repeat().map(decode, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(256, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
for step, (images, labels) in enumerate(ds.take(120_000)):
    loss = train_step(images, labels)
    if step % 1000 == 0:
        print(step, float(loss))
