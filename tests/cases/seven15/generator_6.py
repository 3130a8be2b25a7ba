import csv
import datetime as dt

import tensorflow as tf

COLUMNS = ["user", "item", "rating", "ts"]


def ratings(path):
    with open(path.decode(), newline="") as f:
        for row in csv.reader(f):
            day = dt.datetime.fromtimestamp(int(row[3])).weekday()
            yield int(row[0]), int(row[1]), day, float(row[2])


def shard_to_dataset(path):
    return tf.data.Dataset.from_generator(
        ratings,
        args=(path,),
        output_types=(tf.int32, tf.int32, tf.int32, tf.float32),
        output_shapes=((), (), (), ()),
    )


def split(user, item, day, rating):
    return {"user": user, "item": item, "day": day}, rating


def ratings_dataset(pattern, batch_size):
    shards = tf.data.Dataset.list_files(pattern, shuffle=True)
    return (
        shards
        .interleave(shard_to_dataset, cycle_length=4, num_parallel_calls=4)
        .shuffle(200_000)
        .batch(batch_size)
        .map(split, num_parallel_calls=tf.data.AUTOTUNE)
        .prefetch(tf.data.AUTOTUNE)
    )


def two_tower(users, items, dim=32):
    u = tf.keras.Input((), dtype=tf.int32, name="user")
    i = tf.keras.Input((), dtype=tf.int32, name="item")
    d = tf.keras.Input((), dtype=tf.int32, name="day")
    ue = tf.keras.layers.Embedding(users, dim)(u)
    ie = tf.keras.layers.Embedding(items, dim)(i)
    de = tf.keras.layers.Embedding(7, dim)(d)
    score = tf.keras.layers.Dense(1)(tf.keras.layers.Concatenate()([ue * ie, de]))
    return tf.keras.Model({"user": u, "item": i, "day": d}, score)


strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = two_tower(300_000, 60_000)
    model.compile(tf.keras.optimizers.Adagrad(0.05), "mse")
model.fit(ratings_dataset("/data/ml25m/part-*.csv", 8192), epochs=3)
