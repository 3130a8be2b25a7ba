"""Neural collaborative filtering on MovieLens-25M; profiles the second epoch."""
from absl import app, flags, logging
import numpy as np
import pandas as pd
import tensorflow as tf

FLAGS = flags.FLAGS
flags.DEFINE_string("ratings", "/data/ml-25m/ratings.csv", "MovieLens ratings.")
flags.DEFINE_string("logdir", "/tmp/ncf", "Logs.")
flags.DEFINE_integer("batch_size", 16384, "Batch size.")
flags.DEFINE_integer("epochs", 15, "Epochs.")
flags.DEFINE_bool("profile", True, "Profile epoch 1.")


def make_dataset(path, batch_size):
    frame = pd.read_csv(path, usecols=["userId", "movieId", "rating"])
    user, _ = pd.factorize(frame["userId"])
    item, _ = pd.factorize(frame["movieId"])
    rating = frame["rating"].to_numpy(np.float32)
    ds = tf.data.Dataset.from_tensor_slices((user.astype(np.int32), item.astype(np.int32), rating))
    ds = ds.shuffle(2_000_000).batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    return ds, int(user.max()) + 1, int(item.max()) + 1


class NeuMF(tf.keras.Model):
    def __init__(self, users, items, dim=64):
        super().__init__()
        self.gu, self.gi = (tf.keras.layers.Embedding(n, dim) for n in (users, items))
        self.mu, self.mi = (tf.keras.layers.Embedding(n, dim) for n in (users, items))
        self.mlp = tf.keras.Sequential(
            [tf.keras.layers.Dense(u, activation="relu") for u in (256, 128, 64)])
        self.out = tf.keras.layers.Dense(1)

    def call(self, inputs):
        u, i = inputs
        gmf = self.gu(u) * self.gi(i)
        mlp = self.mlp(tf.concat([self.mu(u), self.mi(i)], -1))
        return self.out(tf.concat([gmf, mlp], -1))[:, 0]


def run_epoch(dataset, step_fn):
    total = tf.keras.metrics.Mean()
    for user, item, rating in dataset:
        total.update_state(step_fn(user, item, rating))
    return float(total.result())


def main(_):
    dataset, users, items = make_dataset(FLAGS.ratings, FLAGS.batch_size)
    model = NeuMF(users, items)
    opt = tf.keras.optimizers.Adam(1e-3)

    @tf.function
    def step(user, item, rating):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model((user, item)) - rating))
        v = model.trainable_variables
        opt.apply_gradients(zip(tape.gradient(loss, v), v))
        return loss

    for epoch in range(FLAGS.epochs):
        if FLAGS.profile and epoch == 1:
            with tf.profiler.experimental.Profile(FLAGS.logdir):
                mse = run_epoch(dataset, step)
        else:
            mse = run_epoch(dataset, step)
        logging.info("epoch %d mse %.4f", epoch, mse)
    model.save_weights(f"{FLAGS.logdir}/ncf.weights.h5")


if __name__ == "__main__":
    app.run(main)
