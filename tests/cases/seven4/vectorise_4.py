import functools
import json
import pathlib

import keras
import tensorflow as tf

META = json.loads(pathlib.Path("/data/movielens/meta.json").read_text())
SPEC = {"user": tf.io.FixedLenFeature([], tf.string), "movie": tf.io.FixedLenFeature([], tf.string),
        "time": tf.io.FixedLenFeature([], tf.float32), "rating": tf.io.FixedLenFeature([], tf.float32)}

TABLES = {name: tf.lookup.StaticVocabularyTable(
    tf.lookup.TextFileInitializer(f"/data/movielens/{name}.txt", tf.string, tf.lookup.TextFileIndex.WHOLE_LINE,
                                  tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER), 1)
    for name in ("user", "movie")}


def encode(row, *, tables, start, week=7 * 86_400.0):
    ids = {name: table.lookup(row[name]) for name, table in tables.items()}
    bucket = tf.cast(tf.clip_by_value((row["time"] - start) / week, 0.0, 1023.0), tf.int32)
    return {**ids, "week": bucket}, (row["rating"] - 0.5) / 4.5


ratings = tf.data.TFRecordDataset(META["shards"], num_parallel_reads=tf.data.AUTOTUNE)
ratings = ratings.batch(8192).map(lambda r: tf.io.parse_example(r, SPEC), num_parallel_calls=tf.data.AUTOTUNE)
ratings = ratings.unbatch().shuffle(1_000_000)
ratings = ratings.map(functools.partial(encode, tables=TABLES, start=META["start"]),
                      num_parallel_calls=tf.data.AUTOTUNE)
ratings = ratings.batch(4096, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


class Factors(keras.Model):
    def __init__(self, users, movies, width=128):
        super().__init__()
        self.user = keras.layers.Embedding(users + 1, width)
        self.movie = keras.layers.Embedding(movies + 1, width)
        self.week = keras.layers.Embedding(1024, width)
        self.head = keras.Sequential([keras.layers.Dense(256, activation="relu"), keras.layers.Dense(1)])

    def call(self, row):
        parts = [self.user(row["user"]), self.movie(row["movie"]), self.week(row["week"])]
        return self.head(keras.ops.concatenate(parts, axis=-1))[:, 0]


model = Factors(META["users"], META["movies"])
model.compile(keras.optimizers.Adagrad(0.1), "mse")
model.fit(ratings, epochs=20)
