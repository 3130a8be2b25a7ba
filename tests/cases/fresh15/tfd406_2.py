"""Matrix factorisation on MovieLens ratings, custom loop."""
import numpy as np
import tensorflow as tf


class Ratings:
    def __init__(self, path, batch_size=8192):
        blob = np.load(path)
        self.users = blob["user"].astype("int32")
        self.movies = blob["movie"].astype("int32")
        self.stars = blob["rating"].astype("float32")
        self.batch_size = batch_size

    def stream(self):
        ds = tf.data.Dataset.from_tensor_slices((self.users, self.movies, self.stars))
        ds = ds.shuffle(len(self.users))
        ds = ds.batch(self.batch_size, drop_remainder=True)
        return ds.prefetch(tf.data.AUTOTUNE)

    @staticmethod
    def size(ds):
        add_one = lambda count, *_: count + 1
        return int(ds.reduce(np.int64(0), add_one).numpy())


class Factors(tf.Module):
    def __init__(self, users, movies, rank=64):
        super().__init__()
        self.u = tf.Variable(tf.random.normal([users, rank], stddev=0.1))
        self.m = tf.Variable(tf.random.normal([movies, rank], stddev=0.1))

    def __call__(self, u, m):
        return 3.5 + tf.reduce_sum(tf.gather(self.u, u) * tf.gather(self.m, m), axis=1)


def main():
    data = Ratings("/data/ml-25m/ratings.npz")
    train = data.stream()
    total = Ratings.size(train)
    bar = tf.keras.utils.Progbar(total, stateful_metrics=["rmse"])
    model = Factors(data.users.max() + 1, data.movies.max() + 1)
    optimizer = tf.keras.optimizers.Adam(0.005)

    @tf.function
    def step(u, m, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(y - model(u, m)))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return tf.sqrt(loss)

    for epoch in range(10):
        print("epoch", epoch)
        for i, (u, m, y) in enumerate(train):
            rmse = step(u, m, y)
            bar.update(i + 1, values=[("rmse", float(rmse))])


if __name__ == "__main__":
    main()
