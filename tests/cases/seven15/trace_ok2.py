import tensorflow as tf


class Loop:
    def __init__(self, pattern, logdir, batch=256):
        self.pattern, self.logdir, self.batch = pattern, logdir, batch
        self.net = tf.keras.Sequential([tf.keras.layers.Dense(256, "relu"), tf.keras.layers.Dense(1)])
        self.opt = tf.keras.optimizers.Adam()

    def data(self):
        def parse(recs):
            ex = tf.io.parse_example(recs, {
                "x": tf.io.FixedLenFeature([64], tf.float32), "y": tf.io.FixedLenFeature([1], tf.float32)})
            return ex["x"], ex["y"]

        files = tf.data.Dataset.list_files(self.pattern, shuffle=True)
        ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(50_000).repeat().batch(self.batch, drop_remainder=True)
        return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

    @tf.function
    def step(self, iterator):
        x, y = next(iterator)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.net(x) - y))
        v = self.net.trainable_variables
        self.opt.apply_gradients(zip(tape.gradient(loss, v), v))
        return loss

    def run(self, steps):
        iterator = iter(self.data())
        with tf.profiler.experimental.Profile(self.logdir):
            for n in range(steps):
                with tf.profiler.experimental.Trace("loop", step_num=n, _r=1):
                    loss = self.step(iterator)
        return float(loss)


print(Loop("/energy/train-*.tfrecord", "/tmp/logs/energy").run(300))
