"""Video-game frame policy: cached bytes, floats only on the way to the model."""
import tensorflow as tf


class ReplayModule:
    def __init__(self, pattern, actions=18, batch=256):
        self.pattern, self.actions, self.batch = pattern, actions, batch

    def parse(self, raw):
        ex = tf.io.parse_single_example(raw, {"frame": tf.io.FixedLenFeature([], tf.string),
                                              "action": tf.io.FixedLenFeature([], tf.int64)})
        frame = tf.io.decode_png(ex["frame"], channels=1)
        return tf.ensure_shape(frame, [84, 84, 1]), tf.cast(ex["action"], tf.uint8)

    def expand(self, frames, actions):
        return tf.cast(frames, tf.float32) / 255.0, tf.one_hot(tf.cast(actions, tf.int32), self.actions)

    def train(self):
        ds = tf.data.Dataset.list_files(self.pattern, shuffle=False)
        ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.cache()
        ds = ds.shuffle(50_000).batch(self.batch, drop_remainder=True)
        ds = ds.map(self.expand, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


def policy(actions):
    layers = tf.keras.layers
    return tf.keras.Sequential([
        layers.Input((84, 84, 1)),
        layers.Conv2D(32, 8, strides=4, activation="relu"),
        layers.Conv2D(64, 4, strides=2, activation="relu"),
        layers.Flatten(),
        layers.Dense(512, activation="relu"),
        layers.Dense(actions),
    ])


if __name__ == "__main__":
    module = ReplayModule("/data/replays/pong-*.tfrecord")
    net = policy(module.actions)
    net.compile("adam", tf.keras.losses.CategoricalCrossentropy(from_logits=True, label_smoothing=0.05))
    net.fit(module.train(), epochs=25, callbacks=[tf.keras.callbacks.TerminateOnNaN()])
