import argparse

import tensorflow as tf
import tensorflow_datasets as tfds

parser = argparse.ArgumentParser()
parser.add_argument("--layout", choices=["NHWC", "NCHW"], default="NCHW")
parser.add_argument("--batch", type=int, default=256)
parser.add_argument("--epochs", type=int, default=90)
FLAGS = parser.parse_args()

WIDTHS = (3, 64, 128, 256, 512)
he = tf.keras.initializers.HeNormal(seed=2)
KERNELS = [tf.Variable(he((3, 3, a, b))) for a, b in zip(WIDTHS, WIDTHS[1:])]
BIASES = [tf.Variable(tf.zeros(b)) for b in WIDTHS[1:]]
HEAD = tf.Variable(he((512, 1000)))
WEIGHTS = [*KERNELS, *BIASES, HEAD]


def convnet(x, layout):
    for kernel, bias in zip(KERNELS, BIASES):
        x = tf.nn.conv2d(x, tf.cast(kernel, x.dtype), 1, "SAME", data_format=layout)
        x = tf.nn.relu(tf.nn.bias_add(x, tf.cast(bias, x.dtype), data_format=layout))
        x = tf.nn.max_pool2d(x, 2, 2, "VALID", data_format=layout)
    x = tf.reduce_mean(x, [2, 3] if layout == "NCHW" else [1, 2])
    return tf.matmul(tf.cast(x, tf.float32), HEAD)


def prepare(ex):
    return tf.image.random_flip_left_right(tf.image.resize(ex["image"], (160, 160))), ex["label"]


def arrange(images, labels):
    images = tf.cast(images / 127.5 - 1.0, tf.bfloat16)
    return (tf.transpose(images, (0, 3, 1, 2)) if FLAGS.layout == "NCHW" else images), labels


ds = tfds.load("imagenet2012", split="train", shuffle_files=True).shuffle(16_384)
ds = ds.map(prepare, num_parallel_calls=tf.data.AUTOTUNE).batch(FLAGS.batch, drop_remainder=True)
ds = ds.map(arrange, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
optimizer = tf.keras.optimizers.SGD(0.1, momentum=0.9)


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        logits = convnet(images, FLAGS.layout)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
    optimizer.apply_gradients(zip(tape.gradient(loss, WEIGHTS), WEIGHTS))
    return loss


for epoch in range(FLAGS.epochs):
    for images, labels in ds:
        loss = train_step(images, labels)
    print(epoch, float(loss))
