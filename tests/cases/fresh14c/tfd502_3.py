import numpy as np
import tensorflow as tf

WINDOW = 96


def windows(path, batch_size):
    load = np.load(path).astype(np.float32)
    load = (load - load.mean()) / load.std()
    ds = tf.keras.utils.timeseries_dataset_from_array(
        load[:-1, None], load[WINDOW:], sequence_length=WINDOW, batch_size=batch_size, shuffle=True
    )
    return ds.repeat().prefetch(tf.data.AUTOTUNE)


def forecaster():
    return tf.keras.Sequential(
        [
            tf.keras.Input([WINDOW, 1]),
            tf.keras.layers.Conv1D(32, 5, activation="relu"),
            tf.keras.layers.LSTM(64),
            tf.keras.layers.Dense(1),
        ]
    )


def train(steps=3000, logdir="logs/load"):
    model = forecaster()
    optimizer = tf.keras.optimizers.Adam(1e-3)
    loss_fn = tf.keras.losses.Huber()

    @tf.function
    def step_fn(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y[:, None], model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    iterator = iter(windows("grid_load.npy", 256))
    for step in range(steps):
        if step == 30:
            tf.profiler.experimental.start(logdir)
        with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
            x, y = next(iterator)
            loss = step_fn(x, y)
        if step == 34:
            tf.profiler.experimental.stop()
        if step % 250 == 0:
            print(f"step {step}: loss {float(loss):.4f}")
    model.save("load.keras")


if __name__ == "__main__":
    train()
