"""Two-tower retrieval on MovieLens-25M, MirroredStrategy with a custom loop."""
import pandas as pd
import tensorflow as tf

BATCH = 8192
DIM = 64


def load(path="/data/ml-25m/ratings.csv"):
    df = pd.read_csv(path, usecols=["userId", "movieId", "rating"])
    df = df[df.rating >= 4.0]
    u, _ = pd.factorize(df.userId)
    m, _ = pd.factorize(df.movieId)
    return u, m


def tower(n):
    return tf.keras.Sequential([
        tf.keras.layers.Embedding(n, DIM),
        tf.keras.layers.Dense(128, activation="relu"),
        tf.keras.layers.Dense(DIM),
    ])


def make_step(strategy, users, movies, opt):
    variables = users.trainable_variables + movies.trainable_variables

    def replica_step(u, m):
        with tf.GradientTape() as tape:
            scores = tf.matmul(users(u), movies(m), transpose_b=True)
            labels = tf.range(tf.shape(u)[0])
            ce = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, scores)
            loss = tf.nn.compute_average_loss(ce, global_batch_size=BATCH)
        opt.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    def step(batch):
        per_replica = strategy.run(replica_step, args=batch)
        return strategy.reduce("SUM", per_replica, axis=None)

    return step


def main():
    u, m = load()
    strategy = tf.distribute.MirroredStrategy()
    ds = tf.data.Dataset.from_tensor_slices((u, m)).shuffle(1_000_000)
    ds = ds.batch(BATCH, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    ds = strategy.experimental_distribute_dataset(ds)
    with strategy.scope():
        users, movies = tower(int(u.max()) + 1), tower(int(m.max()) + 1)
        users.build((None,))
        movies.build((None,))
        opt = tf.keras.optimizers.Adagrad(0.1)
    step = make_step(strategy, users, movies, opt)
    for epoch in range(5):
        total, n = 0.0, 0
        for batch in ds:
            total += step(batch)
            n += 1
        print(f"epoch {epoch}: {float(total) / n:.4f}")


if __name__ == "__main__":
    main()
