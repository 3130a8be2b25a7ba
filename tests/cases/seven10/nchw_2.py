"""Traffic scenes with a hand-written tf.Module network."""
import functools
import glob

import tensorflow as tf

AUTO = tf.data.AUTOTUNE


def load(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (256, 256)) / 255.0, label


def flip(image, label):
    return tf.image.random_flip_left_right(image), label


def to_chw(images, labels):
    return tf.transpose(images, perm=(0, 3, 1, 2)), labels


ELEMENT_FNS = [load, flip]
BATCH_FNS = [to_chw]


def mapped(ds, fns):
    return functools.reduce(lambda d, fn: d.map(fn, num_parallel_calls=AUTO), fns, ds)


def scenes(root, batch_size=64):
    files = sorted(glob.glob(f"{root}/*/*.jpg"))
    labels = [int(f.split("/")[-2]) for f in files]
    ds = tf.data.Dataset.from_tensor_slices((files, labels)).shuffle(len(files))
    ds = mapped(ds, ELEMENT_FNS).batch(batch_size, drop_remainder=True)
    return mapped(ds, BATCH_FNS).prefetch(AUTO)


class Block(tf.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.w = tf.Variable(tf.random.normal([3, 3, cin, cout], stddev=(2 / (9 * cin)) ** 0.5))

    def __call__(self, x):
        x = tf.nn.conv2d(x, self.w, strides=1, padding="SAME", data_format="NCHW")
        return tf.nn.max_pool2d(tf.nn.relu(x), 2, 2, "VALID", data_format="NCHW")


class Net(tf.Module):
    def __init__(self, classes):
        super().__init__()
        self.blocks = [Block(a, b) for a, b in ((3, 32), (32, 64), (64, 128))]
        self.head = tf.Variable(tf.random.normal([128, classes], stddev=0.05))

    def __call__(self, x):
        for block in self.blocks:
            x = block(x)
        return tf.reduce_mean(x, [2, 3]) @ self.head


def main():
    net, opt = Net(20), tf.keras.optimizers.SGD(0.05, momentum=0.9)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, net(x)))
        opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables),
                                net.trainable_variables))

    for _ in range(30):
        for x, y in scenes("/data/scenes"):
            step(x, y)


if __name__ == "__main__":
    main()
