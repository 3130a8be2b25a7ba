import pathlib

import numpy as np
import tensorflow as tf


class VolumeTrainer:
    def __init__(self, root, model, lr=1e-4):
        self.cases = sorted(pathlib.Path(root).glob("case_*.npz"))
        self.model = model
        self.opt = tf.keras.optimizers.Adam(lr)
        self.loss = tf.keras.losses.BinaryCrossentropy(from_logits=True)

    def _patches(self):
        rng = np.random.default_rng()
        for case in rng.permutation(self.cases):
            z = np.load(case)
            x, y, s = (rng.integers(0, d - 64) for d in z["ct"].shape)
            sl = np.s_[x:x + 64, y:y + 64, s:s + 64]
            yield z["ct"][sl][..., None].astype("float32"), z["seg"][sl][..., None].astype("float32")

    def loader(self, batch_size):
        patch = tf.TensorSpec((64, 64, 64, 1), tf.float32)
        gen_ds = tf.data.Dataset.from_generator(self._patches, output_signature=(patch, patch))
        return gen_ds.batch(batch_size).prefetch(2)

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss(y, self.model(x, training=True))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    def run(self, epochs):
        data = self.loader(4)
        for epoch in range(epochs):
            for x, y in data:
                loss = self.step(x, y)
            tf.print("epoch", epoch, "loss", loss)


VolumeTrainer("/data/lits", tf.keras.Sequential([
    tf.keras.layers.Conv3D(16, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv3D(1, 1)])).run(100)
