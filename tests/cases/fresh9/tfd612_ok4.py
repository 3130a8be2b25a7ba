"""Train a recommender; look at one eager step first."""
import contextlib

import tensorflow as tf
import tensorflow_datasets as tfds


@contextlib.contextmanager
def eager_functions():
    tf.config.run_functions_eagerly(True)
    try:
        yield
    finally:
        tf.config.run_functions_eagerly(False)


class MatrixFactorization(tf.keras.Model):
    def __init__(self, users=200_000, movies=60_000, dim=64):
        super().__init__()
        self.users = tf.keras.layers.Embedding(users, dim)
        self.movies = tf.keras.layers.Embedding(movies, dim)

    def call(self, inputs):
        return tf.reduce_sum(self.users(inputs["user"]) * self.movies(inputs["movie"]), -1)


def ratings(batch_size=8192):
    ds = tfds.load("movielens/20m-ratings", split="train", shuffle_files=True)
    ds = ds.shuffle(1_000_000).batch(batch_size)

    def select(b):
        inputs = {"user": tf.strings.to_number(b["user_id"], tf.int32),
                  "movie": tf.strings.to_number(b["movie_id"], tf.int32)}
        return inputs, b["user_rating"]

    return ds.map(select, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def main():
    model, opt = MatrixFactorization(), tf.keras.optimizers.Adagrad(0.1)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x) - y))
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    ds = ratings()
    with eager_functions():
        for x, y in ds.take(1):
            print("first loss", step(x, y).numpy())
    for epoch in range(10):
        for x, y in ds:
            loss = step(x, y)
        print(epoch, float(loss))


if __name__ == "__main__":
    main()
