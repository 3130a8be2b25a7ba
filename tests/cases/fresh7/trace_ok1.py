"""Matrix factorisation of ratings, a window of twenty steps profiled."""
import contextlib

import numpy as np
import tensorflow as tf

BATCH, STEPS = 4096, 3000
WINDOW = range(500, 520)

ratings = np.load("data/ratings.npz")
users, items = ratings["user"].astype("int32"), ratings["item"].astype("int32")
stars = ratings["stars"].astype("float32")
batches = iter(
    tf.data.Dataset.from_tensor_slices((users, items, stars))
    .shuffle(1_000_000)
    .repeat()
    .batch(BATCH)
    .prefetch(tf.data.AUTOTUNE)
)

user_table = tf.Variable(tf.random.normal((users.max() + 1, 32), stddev=0.1))
item_table = tf.Variable(tf.random.normal((items.max() + 1, 32), stddev=0.1))
optimizer = tf.keras.optimizers.Adagrad(0.1)


@tf.function
def update(user, item, star):
    with tf.GradientTape() as tape:
        dot = tf.reduce_sum(tf.gather(user_table, user) * tf.gather(item_table, item), axis=1)
        loss = tf.reduce_mean(tf.square(dot - star))
    tables = [user_table, item_table]
    optimizer.apply_gradients(zip(tape.gradient(loss, tables), tables))
    return loss


def traced(step):
    if step in WINDOW:
        return tf.profiler.experimental.Trace("update", step_num=step, _r=1)
    return contextlib.nullcontext()


for step in range(STEPS):
    if step == WINDOW.start:
        tf.profiler.experimental.start("logs/ratings")
    with traced(step):
        user, item, star = next(batches)
        loss = update(user, item, star)
    if step == WINDOW.stop - 1:
        tf.profiler.experimental.stop()
    if step % 100 == 0:
        print(step, float(loss))
