import numpy as np
import tensorflow as tf


class Trainer:
    def __init__(self, model, batch_size=128):
        self.model = model
        self.batch_size = batch_size
        self.optimizer = tf.keras.optimizers.AdamW(3e-4)
        self.optimizer.build(model.trainable_variables)

    def dataset(self, x, y):
        ds = tf.data.Dataset.from_tensor_slices((x, y))
        ds = ds.repeat(-1).shuffle(len(x))
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            pred = self.model(x, training=True)
            loss = tf.reduce_mean(tf.square(pred - y))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    def train(self, x, y, epochs):
        ds = self.dataset(x, y)
        for epoch in range(epochs):
            total, n = 0.0, 0
            for bx, by in ds:
                total += self.step(bx, by)
                n += 1
            print(f"epoch {epoch}: {total / n:.4f}")
            self.model.save_weights(f"ckpt-{epoch:03d}.weights.h5")


if __name__ == "__main__":
    with np.load("/data/qm9.npz") as f:
        x, y = f["descriptors"].astype("float32"), f["targets"].astype("float32")
    net = tf.keras.Sequential([
        tf.keras.layers.Input((x.shape[1],)),
        tf.keras.layers.Dense(512, activation="gelu"),
        tf.keras.layers.Dense(y.shape[1]),
    ])
    Trainer(net).train(x, y, epochs=100)
