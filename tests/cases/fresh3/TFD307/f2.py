import json

import tensorflow as tf

SETTINGS = json.loads('{"epochs": 10, "shuffle": 4000, "batch": 50, "files": "air-*.csv"}')


def parse(lines):
    cols = tf.io.decode_csv(lines, [[0.0]] * 5)
    return {"x": tf.stack(cols[:-1], axis=1), "y": cols[-1]}


def training(s):
    files = sorted(tf.io.gfile.glob(s["files"]))
    ds = tf.data.TextLineDataset(files)
    ds = ds.repeat(s["epochs"]) if s.get("epochs") else ds
    ds = ds.shuffle(s["shuffle"]) if s.get("shuffle") else ds
    ds = ds.batch(s["batch"]).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


net = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.Adam()


@tf.function
def train_step(item):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(net(item["x"], training=True)[:, 0] - item["y"]))
    grads = tape.gradient(loss, net.trainable_variables)
    opt.apply_gradients(zip(grads, net.trainable_variables))
    return loss


net.build((None, 4))
opt.build(net.trainable_variables)
for item in training(SETTINGS):
    train_step(item)
