import tensorflow as tf
import tensorflow_recommenders as tfrs


class MovieLensInput:
    def __init__(self, pattern, users, movies, batch_size=16_384):
        self.pattern = pattern
        self.batch_size = batch_size
        self.user_ids = tf.keras.layers.StringLookup(vocabulary=users)
        self.movie_ids = tf.keras.layers.StringLookup(vocabulary=movies)

    def _rows(self, path):
        return tf.data.experimental.CsvDataset(
            path, [tf.string, tf.string, tf.float32, tf.int64], header=True)

    def _index(self, user, movie, rating, timestamp):
        del timestamp
        return {
            "user": self.user_ids(user),
            "movie": self.movie_ids(movie),
            "rating": (rating - 0.5) / 4.5,
        }

    def __call__(self):
        files = tf.data.Dataset.list_files(self.pattern)
        return (
            files.interleave(self._rows, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
            .shuffle(1_000_000)
            .map(self._index, num_parallel_calls=tf.data.AUTOTUNE)
            .batch(self.batch_size)
            .prefetch(tf.data.AUTOTUNE)
        )


class TwoTower(tfrs.Model):
    def __init__(self, n_users, n_movies, dim=64):
        super().__init__()
        self.user_tower = tf.keras.Sequential(
            [tf.keras.layers.Embedding(n_users, dim), tf.keras.layers.Dense(dim)])
        self.movie_tower = tf.keras.Sequential(
            [tf.keras.layers.Embedding(n_movies, dim), tf.keras.layers.Dense(dim)])
        self.task = tfrs.tasks.Retrieval()

    def compute_loss(self, features, training=False):
        return self.task(self.user_tower(features["user"]), self.movie_tower(features["movie"]),
                         compute_metrics=not training)


def read_vocab(path):
    with open(path) as f:
        return f.read().splitlines()


if __name__ == "__main__":
    users, movies = read_vocab("ml25m/users.txt"), read_vocab("ml25m/movies.txt")
    data = MovieLensInput("ml25m/ratings-*.csv", users, movies)   # 25 million ratings
    model = TwoTower(len(users) + 1, len(movies) + 1)
    model.compile(optimizer=tf.keras.optimizers.Adagrad(0.1))
    model.fit(data(), epochs=5)
    model.save_weights("two_tower")
