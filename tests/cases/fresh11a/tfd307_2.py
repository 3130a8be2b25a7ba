import numpy as np
import tensorflow as tf


class Pipeline:
    """Chains the stages that a table of settings names."""

    def __init__(self, settings):
        self.settings = settings

    def source(self):
        blob = np.load(self.settings["file"])
        x, y = blob["x"].astype("float32"), blob["y"].astype("int32")
        self.size = len(x)
        return tf.data.Dataset.from_tensor_slices((x, y))

    def build(self, training):
        ds = self.source()
        if training:
            ds = ds.repeat()
            ds = ds.shuffle(buffer_size=self.size)
        ds = ds.batch(self.settings["batch_size"], drop_remainder=training)
        return ds.prefetch(tf.data.AUTOTUNE)


def train(model, pipe, steps):
    opt = tf.keras.optimizers.Adam(1e-3)
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    batches = iter(pipe.build(training=True))
    for i in range(steps):
        loss = step(*next(batches))
        if i % 500 == 0:
            tf.print("step", i, "loss", loss)


if __name__ == "__main__":
    net = tf.keras.Sequential([
        tf.keras.layers.Dense(512, activation="gelu"),
        tf.keras.layers.Dense(28),
    ])
    train(net, Pipeline({"file": "covtype.npz", "batch_size": 512}), 50_000)
