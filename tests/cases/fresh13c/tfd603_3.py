"""Custom loop under a strategy: metrics on the device, the host looks now and then."""
import tensorflow as tf


class Loop:
    LOG_EVERY = 500

    def __init__(self, logdir, batch=512):
        self.strategy = tf.distribute.MirroredStrategy()
        self.batch = batch
        self.writer = tf.summary.create_file_writer(logdir)
        with self.strategy.scope():
            self.model = tf.keras.Sequential([tf.keras.layers.Input((256,)),
                                              tf.keras.layers.Dense(2048, activation="relu"),
                                              tf.keras.layers.Dense(2048, activation="relu"),
                                              tf.keras.layers.Dense(100)])
            self.optimizer = tf.keras.optimizers.Adam(1e-3)
            self.optimizer.build(self.model.trainable_variables)
            self.mean = tf.keras.metrics.Mean()

    def data(self, pattern):
        spec = {"x": tf.io.FixedLenFeature([256], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}

        def parse(raw):
            ex = tf.io.parse_example(raw, spec)
            return ex["x"], ex["y"]

        ds = tf.data.Dataset.list_files(pattern)
        ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(100_000).repeat().batch(self.batch, drop_remainder=True)
        ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
        return self.strategy.experimental_distribute_dataset(ds)

    @tf.function
    def step(self, x, y):
        def replica(x, y):
            with tf.GradientTape() as tape:
                ce = tf.nn.sparse_softmax_cross_entropy_with_logits(y, self.model(x, training=True))
                loss = tf.reduce_sum(ce) / self.batch
            grads = tape.gradient(loss, self.model.trainable_variables)
            self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
            self.mean.update_state(ce)

        self.strategy.run(replica, args=(x, y))

    def run(self, pattern, steps):
        for n, (x, y) in enumerate(self.data(pattern), start=1):
            self.step(x, y)
            if n % self.LOG_EVERY == 0:
                value = float(self.mean.result().numpy())
                with self.writer.as_default(step=n):
                    tf.summary.scalar("loss", value)
                print(f"{n:>7d} {value:.4f}")
                self.mean.reset_state()
            if n >= steps:
                break


if __name__ == "__main__":
    Loop("/logs/embeddings").run("/data/embeddings/*.tfrecord", 100_000)
