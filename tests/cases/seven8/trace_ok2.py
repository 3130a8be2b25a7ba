"""Time-series transformer: custom loop with a small step-annotation helper."""
import contextlib

from absl import app, flags
import tensorflow as tf

FLAGS = flags.FLAGS
flags.DEFINE_string("pattern", "/data/electricity/train-*.tfrecord", "")
flags.DEFINE_string("logdir", "/tmp/tst", "")
flags.DEFINE_integer("batch", 512, "")
flags.DEFINE_integer("steps", 200000, "")
flags.DEFINE_list("profile", ["400", "420"], "first,last step to profile; empty = off")

CONTEXT, HORIZON = 336, 96


def windows(pattern, batch):
    spec = {"x": tf.io.FixedLenFeature([CONTEXT, 8], tf.float32),
            "y": tf.io.FixedLenFeature([HORIZON], tf.float32)}
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(200_000).repeat().batch(batch, drop_remainder=True)
    ds = ds.map(lambda r: tf.io.parse_example(r, spec), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


class StepProfiler:
    """Starts and stops the profiler and annotates the steps in between."""

    def __init__(self, logdir, window):
        self.logdir = logdir
        self.first, self.last = (int(w) for w in window) if window else (-1, -2)

    @contextlib.contextmanager
    def __call__(self, step):
        if step == self.first:
            tf.profiler.experimental.start(self.logdir)
        if self.first <= step <= self.last:
            marker = tf.profiler.experimental.Trace("train", step_num=step, _r=1)
        else:
            marker = contextlib.nullcontext()
        with marker:
            yield
        if step == self.last:
            tf.profiler.experimental.stop()


def model_fn(dim=128):
    inp = tf.keras.Input((CONTEXT, 8))
    x = tf.keras.layers.Conv1D(dim, 16, strides=8)(inp)
    for _ in range(3):
        h = tf.keras.layers.LayerNormalization()(x)
        x = tf.keras.layers.Add()([x, tf.keras.layers.MultiHeadAttention(8, dim // 8)(h, h)])
        h = tf.keras.layers.Dense(dim * 2, activation="gelu")(tf.keras.layers.LayerNormalization()(x))
        x = tf.keras.layers.Add()([x, tf.keras.layers.Dense(dim)(h)])
    return tf.keras.Model(inp, tf.keras.layers.Dense(HORIZON)(tf.keras.layers.Flatten()(x)))


def main(_):
    model = model_fn()
    opt = tf.keras.optimizers.Adam(1e-4)

    @tf.function
    def train_step(batch):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(batch["x"], training=True) - batch["y"]))
        v = model.trainable_variables
        opt.apply_gradients(zip(tape.gradient(loss, v), v))
        return loss

    annotate = StepProfiler(FLAGS.logdir, FLAGS.profile)
    iterator = iter(windows(FLAGS.pattern, FLAGS.batch))
    for step in range(FLAGS.steps):
        with annotate(step):
            loss = train_step(next(iterator))
        if step % 500 == 0:
            print(step, float(loss))


if __name__ == "__main__":
    app.run(main)
