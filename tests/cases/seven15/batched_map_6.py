import contextlib
import glob

import numpy as np
import tensorflow as tf

BATCH = 2048


@contextlib.contextmanager
def on(strategy):
    with strategy.scope():
        yield strategy


def celsius(x):
    return (x - 32.0) * (5.0 / 9.0)


def clean(reading, failure):
    temp, rest = reading[..., :4], reading[..., 4:]
    temp = celsius(temp)
    rest = tf.clip_by_value(rest, -10.0, 10.0) / 10.0
    return tf.concat([temp / 100.0, rest], axis=-1), failure


def pairs(folder):
    chunks = [np.load(f) for f in sorted(glob.glob(folder + "/*.npy"))]
    m = np.concatenate(chunks).astype(np.float32)
    return m[:, :-1], m[:, -1:]


def batched(ds, size):
    return ds.batch(size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def turbine_data(folder):
    x, y = pairs(folder)
    ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(len(x), seed=21)
    parallel = {"num_parallel_calls": tf.data.AUTOTUNE}
    ds = ds.map(clean, **parallel)
    return batched(ds, BATCH)


def train(folder, epochs=15):
    with on(tf.distribute.MirroredStrategy()) as strategy:
        net = tf.keras.Sequential([tf.keras.layers.Dense(128, "gelu"), tf.keras.layers.Dense(1)])
        opt = tf.keras.optimizers.Adam()
        bce = tf.keras.losses.BinaryCrossentropy(from_logits=True, reduction="none")

    def replica_step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.nn.compute_average_loss(bce(y, net(x)), global_batch_size=BATCH)
        opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        return loss

    @tf.function
    def step(x, y):
        return strategy.reduce("SUM", strategy.run(replica_step, (x, y)), axis=None)

    data = strategy.experimental_distribute_dataset(turbine_data(folder))
    for e in range(epochs):
        for x, y in data:
            loss = step(x, y)
        print(e, loss.numpy())


train("/scada/2023")
