"""Session-based next-item model with a small hook mechanism around the loop."""
import pathlib

import tensorflow as tf

ITEMS = 60_000
LENGTH = 50


class Hook:
    every = 1

    def begin(self, loop):
        pass

    def after(self, loop, step):
        pass


class KeepSafe(Hook):
    """The preemptible machines go away with half an hour of notice."""

    every = 5_000

    def __init__(self, folder, keep=2):
        self.folder = str(folder)
        self.keep = keep

    def begin(self, loop):
        state = tf.train.Checkpoint(net=loop.net, opt=loop.opt)
        self.manager = tf.train.CheckpointManager(state, self.folder, self.keep)
        state.restore(self.manager.latest_checkpoint)

    def after(self, loop, step):
        self.manager.save(checkpoint_number=step)


class Loop:
    def __init__(self, net, data, hooks):
        self.net, self.data, self.hooks = net, data, hooks
        self.opt = tf.keras.optimizers.Adam(1e-3)
        self.loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def step(self, history, following):
        with tf.GradientTape() as tape:
            value = self.loss(following, self.net(history, training=True))
        grads = tape.gradient(value, self.net.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))
        return value

    def run(self):
        for h in self.hooks:
            h.begin(self)
        for n, (history, following) in enumerate(self.data, 1):
            self.step(history, following)
            for h in self.hooks:
                if n % h.every == 0:
                    h.after(self, n)


def sessions(pattern, steps):
    spec = {"items": tf.io.FixedLenFeature([LENGTH + 1], tf.int64)}

    def parse(blobs):
        ids = tf.io.parse_example(blobs, spec)["items"]
        return ids[:, :-1], ids[:, -1]

    ds = tf.data.Dataset.list_files(pattern).interleave(
        tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(100_000).repeat().batch(512, drop_remainder=True).take(steps)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def gru4rec():
    return tf.keras.Sequential([
        tf.keras.layers.Embedding(ITEMS, 100),
        tf.keras.layers.GRU(100),
        tf.keras.layers.Dense(ITEMS),
    ])


if __name__ == "__main__":
    folder = pathlib.Path("/persist/gru4rec")
    Loop(gru4rec(), sessions("sessions/*.tfrecord", 300_000), [KeepSafe(folder)]).run()
