"""EMNIST by class: the pictures are stored sideways."""
import tensorflow as tf
import tensorflow_datasets as tfds

FORMAT = "NHWC"


def upright(images, labels):
    images = tf.transpose(images, (0, 2, 1, 3))
    return tf.cast(images, tf.float32) / 255.0, labels


def batches(split, batch_size):
    ds = tfds.load("emnist/byclass", split=split, as_supervised=True, shuffle_files=True)
    ds = ds.shuffle(100_000).batch(batch_size, drop_remainder=True)
    return ds.map(upright, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


class Net(tf.Module):
    def __init__(self, widths=(1, 32, 64), classes=62):
        super().__init__()
        self.kernels = [
            tf.Variable(tf.random.normal((3, 3, a, b), stddev=(2.0 / (9 * a)) ** 0.5))
            for a, b in zip(widths, widths[1:])
        ]
        self.head = tf.Variable(tf.random.normal((widths[-1], classes), stddev=0.05))

    def __call__(self, x):
        for kernel in self.kernels:
            x = tf.nn.relu(tf.nn.conv2d(x, kernel, 1, "SAME", data_format=FORMAT))
            x = tf.nn.max_pool2d(x, 2, 2, "VALID", data_format=FORMAT)
        return tf.reduce_mean(x, axis=(1, 2)) @ self.head


net = Net()


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=net(images)))
    for v, g in zip(net.trainable_variables, tape.gradient(loss, net.trainable_variables)):
        v.assign_sub(0.05 * g)
    return loss


train = batches("train", 512)
for epoch in range(15):
    for images, labels in train:
        loss = train_step(images, labels)
    print(epoch, float(loss))
