"""Super-resolution (EDSR) on DIV2K+Flickr2K patches, custom loop with a profiling window."""
import contextlib

import tensorflow as tf
from absl import app, flags

flags.DEFINE_string("patches", "/data/sr/patches-*.tfrecord", "")
flags.DEFINE_string("logdir", "/logs/edsr", "")
flags.DEFINE_integer("batch", 16, "")
flags.DEFINE_integer("steps", 300_000, "")
flags.DEFINE_integer("profile_at", 1000, "first profiled step, -1 = never")
flags.DEFINE_integer("profile_for", 20, "profiled steps")
FLAGS = flags.FLAGS

AUTO = tf.data.AUTOTUNE


class StepProfiler:
    def __init__(self, logdir, first, count):
        self.logdir, self.first, self.last = logdir, first, first + count
        self.running = False

    @contextlib.contextmanager
    def step(self, n):
        if n == self.first:
            tf.profiler.experimental.start(self.logdir)
            self.running = True
        try:
            with tf.profiler.experimental.Trace("train", step_num=n, _r=1):
                yield
        finally:
            if self.running and n + 1 == self.last:
                tf.profiler.experimental.stop()
                self.running = False


def parse(rec):
    ex = tf.io.parse_single_example(rec, {"lr": tf.io.FixedLenFeature([], tf.string),
                                          "hr": tf.io.FixedLenFeature([], tf.string)})
    lr = tf.io.decode_png(ex["lr"], channels=3)
    hr = tf.io.decode_png(ex["hr"], channels=3)
    k = tf.random.uniform([], 0, 4, tf.int32)
    lr = tf.ensure_shape(tf.image.rot90(lr, k), [48, 48, 3])
    hr = tf.ensure_shape(tf.image.rot90(hr, k), [192, 192, 3])
    return tf.cast(lr, tf.float32) / 255.0, tf.cast(hr, tf.float32) / 255.0


def patches():
    ds = tf.data.Dataset.list_files(FLAGS.patches)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=AUTO)
    ds = ds.shuffle(10_000).repeat().map(parse, num_parallel_calls=AUTO)
    return ds.batch(FLAGS.batch, drop_remainder=True).prefetch(AUTO)


def edsr(blocks=16, f=64):
    inp = tf.keras.Input([None, None, 3])
    x = head = tf.keras.layers.Conv2D(f, 3, padding="same")(inp)
    for _ in range(blocks):
        y = tf.keras.layers.Conv2D(f, 3, padding="same", activation="relu")(x)
        x = tf.keras.layers.Add()([x, tf.keras.layers.Conv2D(f, 3, padding="same")(y)])
    x = tf.keras.layers.Add()([x, head])
    x = tf.keras.layers.Conv2D(48, 3, padding="same")(x)
    return tf.keras.Model(inp, tf.keras.layers.Lambda(lambda t: tf.nn.depth_to_space(t, 4))(x))


def main(_):
    net, opt = edsr(), tf.keras.optimizers.Adam(1e-4)

    @tf.function
    def update(lr, hr):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(net(lr, training=True) - hr))
        opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        return loss

    it = iter(patches())
    prof = StepProfiler(FLAGS.logdir, FLAGS.profile_at, FLAGS.profile_for)
    for n in range(FLAGS.steps):
        with prof.step(n):
            lr, hr = next(it)
            loss = update(lr, hr)
        if n % 1000 == 0:
            print(n, float(loss))


if __name__ == "__main__":
    app.run(main)
