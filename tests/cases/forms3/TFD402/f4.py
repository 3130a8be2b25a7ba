import argparse

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--reproducible", action="store_true")
parser.add_argument("--files", nargs="+", required=True)
args = parser.parse_args()

opts = tf.data.Options()
opts.deterministic = args.reproducible
if not args.reproducible:
    opts.autotune.enabled = True
    opts.autotune.cpu_budget = 8


def parse(batch):
    d = tf.io.parse_example(batch, {
        "a": tf.io.FixedLenFeature([10], tf.float32), "b": tf.io.FixedLenFeature([], tf.float32)})
    return d["a"], d["b"]


data = tf.data.TFRecordDataset(args.files)
data = data.shuffle(5000, seed=1).batch(128)
data = data.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

w = tf.Variable(tf.zeros((10,)))
opt = tf.keras.optimizers.SGD(0.1)
for epoch in range(20):
    for a, b in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.linalg.matvec(a, w) - b) ** 2)
        opt.apply_gradients([(tape.gradient(loss, w), w)])
