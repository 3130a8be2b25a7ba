"""Depth estimation with MirroredStrategy: warm up, profile, then train."""
import tensorflow as tf

GLOBAL_BATCH = 48
PROFILE_STEPS = 250


class DepthTrainer:
    def __init__(self, pattern, logdir):
        self.strategy = tf.distribute.MirroredStrategy()
        self.logdir = logdir
        with self.strategy.scope():
            self.model = tf.keras.Sequential(
                [tf.keras.layers.Input((240, 320, 3))]
                + [tf.keras.layers.Conv2D(f, 3, padding="same", activation="relu") for f in (32, 64, 64, 32)]
                + [tf.keras.layers.Conv2D(1, 1)])
            self.optimizer = tf.keras.optimizers.Adam(1e-4)
            self.optimizer.build(self.model.trainable_variables)
        self.batches = iter(self.strategy.experimental_distribute_dataset(self._dataset(pattern)))
        self.step = 0

    @staticmethod
    def _parse(raw):
        ex = tf.io.parse_single_example(raw, {"rgb": tf.io.FixedLenFeature([], tf.string),
                                              "depth": tf.io.FixedLenFeature([], tf.string)})
        rgb = tf.cast(tf.io.decode_png(ex["rgb"], channels=3), tf.float32) / 255.0
        depth = tf.cast(tf.io.decode_png(ex["depth"], channels=1, dtype=tf.uint16), tf.float32) / 1000.0
        return tf.ensure_shape(rgb, [240, 320, 3]), tf.ensure_shape(depth, [240, 320, 1])

    def _dataset(self, pattern):
        ds = tf.data.Dataset.list_files(pattern)
        ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(2000).repeat().map(self._parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(GLOBAL_BATCH, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

    def _replica(self, rgb, depth):
        with tf.GradientTape() as tape:
            err = tf.abs(self.model(rgb, training=True) - depth)
            loss = tf.reduce_sum(tf.reduce_mean(err, [1, 2, 3])) / GLOBAL_BATCH
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))

    @tf.function
    def update(self, batch):
        self.strategy.run(self._replica, args=batch)

    def advance(self, count):
        for _ in range(count):
            with tf.profiler.experimental.Trace("train", step_num=self.step, _r=1):
                self.update(next(self.batches))
            self.step += 1

    def run(self, total):
        self.advance(100)
        with tf.profiler.experimental.Profile(self.logdir):
            self.advance(PROFILE_STEPS)
        self.advance(total - self.step)
        self.model.save(self.logdir + "/depth.keras")


if __name__ == "__main__":
    DepthTrainer("/data/nyu/train-*.tfrecord", "/logs/depth").run(60_000)
