"""Offline RL (CQL) from logged Atari episodes on GCS."""
import gin
import numpy as np
import tensorflow as tf


@gin.configurable
class LoggedReplay:
    """Streams transitions out of DQN-replay style shards."""

    def __init__(self, bucket="gs://dqn-replay/Breakout", num_shards=2000,
                 batch_size=256, streams=32):
        self._names = [f"{bucket}/run1-{i:05d}-of-{num_shards:05d}.tfrecord.gz"
                       for i in range(num_shards)]
        self._batch_size = batch_size
        self._streams = streams

    @staticmethod
    def _open(name):
        return tf.data.TFRecordDataset(name, compression_type="GZIP", buffer_size=4 << 20)

    @staticmethod
    def _transition(raw):
        ex = tf.io.parse_example(raw, {
            "obs": tf.io.FixedLenFeature([], tf.string),
            "next_obs": tf.io.FixedLenFeature([], tf.string),
            "action": tf.io.FixedLenFeature([], tf.int64),
            "reward": tf.io.FixedLenFeature([], tf.float32),
            "done": tf.io.FixedLenFeature([], tf.float32)})
        for k in ("obs", "next_obs"):
            px = tf.io.decode_raw(ex[k], tf.uint8)
            ex[k] = tf.cast(tf.reshape(px, [-1, 84, 84, 4]), tf.float32) / 255.0
        return ex

    def _names_ds(self):
        ds = tf.data.Dataset.from_tensor_slices(self._names)
        return ds.shuffle(len(self._names), reshuffle_each_iteration=True).repeat()

    def as_dataset(self):
        return (self._names_ds()
                .interleave(self._open, cycle_length=self._streams, block_length=16)
                .shuffle(100_000)
                .batch(self._batch_size, drop_remainder=True)
                .map(self._transition, num_parallel_calls=tf.data.AUTOTUNE)
                .prefetch(tf.data.AUTOTUNE))


def q_network(actions):
    return tf.keras.Sequential([
        tf.keras.layers.Conv2D(32, 8, 4, activation="relu", input_shape=(84, 84, 4)),
        tf.keras.layers.Conv2D(64, 4, 2, activation="relu"),
        tf.keras.layers.Conv2D(64, 3, 1, activation="relu"),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(512, activation="relu"),
        tf.keras.layers.Dense(actions)])


@gin.configurable
def train(replay_cls=LoggedReplay, actions=4, steps=2_000_000, gamma=0.99, alpha=1.0):
    q, target = q_network(actions), q_network(actions)
    opt = tf.keras.optimizers.Adam(5e-5)

    @tf.function
    def update(b):
        tq = tf.reduce_max(target(b["next_obs"]), -1)
        y = b["reward"] + gamma * (1.0 - b["done"]) * tq
        with tf.GradientTape() as tape:
            qs = q(b["obs"])
            qa = tf.gather(qs, b["action"], batch_dims=1)
            loss = tf.reduce_mean((qa - y) ** 2)
            loss += alpha * tf.reduce_mean(tf.reduce_logsumexp(qs, -1) - qa)
        opt.apply_gradients(zip(tape.gradient(loss, q.trainable_variables), q.trainable_variables))
        return loss

    it = iter(replay_cls().as_dataset())
    losses = []
    for step in range(steps):
        losses.append(update(next(it)))
        if step % 8000 == 0:
            target.set_weights(q.get_weights())
            print(step, np.mean(losses[-100:]))


if __name__ == "__main__":
    gin.parse_config_file("configs/cql.gin")
    train()
