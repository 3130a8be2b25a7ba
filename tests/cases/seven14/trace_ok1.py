"""Tabular autoencoder training; fetch and update both lie in the profiler's step."""
import tensorflow as tf

WIDTH = 420


class Profiled:
    """Starts and stops the profiler for a range of steps."""

    def __init__(self, logdir, first, last):
        self.logdir, self.first, self.last = logdir, first, last

    def tick(self, step):
        if step == self.first:
            tf.profiler.experimental.start(self.logdir)
        if step == self.last:
            tf.profiler.experimental.stop()


def rows(pattern, batch):
    files = tf.data.Dataset.list_files(pattern).repeat()
    ds = files.interleave(
        lambda f: tf.data.FixedLengthRecordDataset(f, record_bytes=4 * WIDTH),
        cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(100_000).batch(batch, drop_remainder=True)
    ds = ds.map(lambda b: tf.reshape(tf.io.decode_raw(b, tf.float32), [-1, WIDTH]),
                num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def autoencoder():
    dims = (256, 64, 16, 64, 256)
    return tf.keras.Sequential([tf.keras.layers.Dense(d, "gelu") for d in dims] + [tf.keras.layers.Dense(WIDTH)])


def main(steps=80_000):
    model, opt = autoencoder(), tf.keras.optimizers.Adam()
    prof = Profiled("/logs/ae", 1000, 1100)

    @tf.function
    def update(x):
        with tf.GradientTape() as t:
            loss = tf.reduce_mean((model(x, training=True) - x) ** 2)
        opt.apply_gradients(zip(t.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss

    batches = iter(rows("/data/telemetry/*.bin", 4096))
    for step in range(steps):
        prof.tick(step)
        with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
            x = next(batches)
            loss = update(x)
        if step % 2000 == 0:
            print(step, float(loss))


if __name__ == "__main__":
    main()
