"""Behavioural cloning from logged driving episodes."""
import logging

import tensorflow as tf

log = logging.getLogger(__name__)


class EpisodeSource:
    def __init__(self, pattern, horizon=10):
        files = tf.data.Dataset.list_files(pattern, shuffle=True)
        self.dataset = files.interleave(
            tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
        self.horizon = horizon

    def decode(self):
        spec = {
            "obs": tf.io.FixedLenFeature([self.horizon, 24], tf.float32),
            "action": tf.io.FixedLenFeature([2], tf.float32),
            "collision": tf.io.FixedLenFeature([], tf.int64),
        }
        self.dataset = self.dataset.map(
            lambda raw: tf.io.parse_single_example(raw, spec), num_parallel_calls=tf.data.AUTOTUNE)
        return self

    def drop_collisions(self):
        self.dataset.filter(lambda ex: tf.equal(ex["collision"], 0))
        log.info("collisions removed")
        return self

    def pairs(self):
        self.dataset = self.dataset.map(lambda ex: (ex["obs"], ex["action"]), num_parallel_calls=tf.data.AUTOTUNE)
        return self

    def batches(self, size):
        return self.dataset.shuffle(50_000).batch(size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


class Policy(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.rnn = tf.keras.layers.GRU(128)
        self.out = tf.keras.layers.Dense(2, activation="tanh")

    def call(self, obs):
        return self.out(self.rnn(obs))


def train(epochs):
    source = EpisodeSource("/logs/driving/ep-*.tfrecord").decode().drop_collisions().pairs()
    data = source.batches(256)
    policy, opt = Policy(), tf.keras.optimizers.Adam(3e-4)
    mean = tf.keras.metrics.Mean()

    @tf.function
    def step(obs, action):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(policy(obs, training=True) - action))
        grads = tape.gradient(loss, policy.trainable_variables)
        opt.apply_gradients(zip(grads, policy.trainable_variables))
        mean.update_state(loss)

    for epoch in range(epochs):
        mean.reset_state()
        for obs, action in data:
            step(obs, action)
        log.info("epoch %d loss %.4f", epoch, mean.result())
    policy.save_weights("policy.weights.h5")


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    train(20)
