import os

import tensorflow as tf

PER_REPLICA = 16


class Resolver:
    """4x super resolution of microscope slides."""

    def __init__(self, strategy):
        self.strategy = strategy
        self.global_batch = PER_REPLICA * strategy.num_replicas_in_sync
        with strategy.scope():
            self.net = self.build()
            self.opt = tf.keras.optimizers.Adam(2e-4)
            self.opt.build(self.net.trainable_variables)

    @staticmethod
    def build():
        inp = tf.keras.Input((64, 64, 3))
        x = tf.keras.layers.Conv2D(64, 3, padding="same")(inp)
        for _ in range(8):
            r = tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu")(x)
            x = x + tf.keras.layers.Conv2D(64, 3, padding="same")(r)
        x = tf.keras.layers.Conv2DTranspose(64, 4, 4)(x)
        return tf.keras.Model(inp, tf.keras.layers.Conv2D(3, 3, padding="same")(x))

    def patches(self, ctx):
        files = tf.data.Dataset.list_files("slides/*.tfrecord", seed=4)
        files = files.shard(ctx.num_input_pipelines, ctx.input_pipeline_id)
        ds = files.interleave(tf.data.TFRecordDataset,
                              num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(2000).repeat()
        ds = ds.map(self.pair, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.global_batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

    def pair(self, blob):
        image = tf.io.decode_png(blob, channels=3)
        high = tf.image.random_crop(image, (256, 256, 3))
        high = tf.cast(high, tf.float32) / 255.0
        return tf.image.resize(high, (64, 64), antialias=True), high

    def _replica(self, low, high):
        with tf.GradientTape() as tape:
            err = tf.reduce_mean(tf.abs(self.net(low, training=True) - high), axis=(1, 2, 3))
            loss = tf.nn.compute_average_loss(err, global_batch_size=self.global_batch)
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))
        return loss

    @tf.function
    def many(self, iterator, n):
        last = tf.constant(0.0)
        for _ in tf.range(n):
            losses = self.strategy.run(self._replica, args=next(iterator))
            last = self.strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)
        return last

    def fit(self, rounds=100, inner=500):
        source = self.strategy.distribute_datasets_from_function(self.patches)
        iterator = iter(source)
        for r in range(rounds):
            loss = self.many(iterator, tf.constant(inner))
            print(r, float(loss))
        self.net.save(os.path.join("out", "resolver.keras"))


if __name__ == "__main__":
    Resolver(tf.distribute.MirroredStrategy()).fit()
