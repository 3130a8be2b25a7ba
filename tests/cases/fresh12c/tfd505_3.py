"""Click-through model with a with-block for profiling."""
import tensorflow as tf

profiler = tf.profiler.experimental


class Profiled:
    """Profiles the enclosed steps on this host; stops on errors too."""

    def __init__(self, logdir, enabled=True):
        self.logdir, self.enabled = logdir, enabled
        self.options = profiler.ProfilerOptions(host_tracer_level=2, python_tracer_level=0)

    def __enter__(self):
        if self.enabled:
            profiler.start(self.logdir, options=self.options)
        return self

    def __exit__(self, *exc):
        if self.enabled:
            profiler.stop()
        return False

    def step(self, n):
        return profiler.Trace("ctr", step_num=n, _r=1)


def impressions(pattern):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(lambda f: tf.data.TextLineDataset(f, compression_type="GZIP"), cycle_length=16,
                       num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(200_000).repeat().batch(8192, drop_remainder=True)

    def parse(lines):
        cols = tf.io.decode_csv(lines, [0.0] * 14, field_delim="\t")
        return tf.math.log1p(tf.maximum(tf.stack(cols[1:], 1), 0.0)), cols[0][:, None]

    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


net = tf.keras.Sequential([
    tf.keras.Input((13,)),
    tf.keras.layers.Dense(512, activation="relu"),
    tf.keras.layers.Dense(256, activation="relu"),
    tf.keras.layers.Dense(1),
])
opt = tf.keras.optimizers.Adam(1e-3)
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)


@tf.function
def update(x, y):
    with tf.GradientTape() as tape:
        loss = bce(y, net(x, training=True))
    opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
    return loss


stream = iter(impressions("/data/criteo/day_*.gz"))
for _ in range(100):
    update(*next(stream))
with Profiled("/logs/ctr") as p:
    for n in range(8):
        with p.step(n):
            update(*next(stream))
for n in range(500_000):
    loss = update(*next(stream))
    if n % 5000 == 0:
        tf.print(n, loss)
