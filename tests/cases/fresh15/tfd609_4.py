import numpy as np
import tensorflow as tf

SAVE_EVERY = 1000


class Trainer:
    def __init__(self, model, directory):
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam(1e-3)
        self.step = tf.Variable(0, dtype=tf.int64)
        self.ckpt = tf.train.Checkpoint(model=model, optimizer=self.optimizer, step=self.step)
        self.manager = tf.train.CheckpointManager(self.ckpt, directory, max_to_keep=2)

    @tf.function
    def update(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.keras.losses.huber(y, self.model(x, training=True)))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        self.step.assign_add(1)
        return loss

    def run(self, ds, steps):
        if self.manager.latest_checkpoint:
            self.ckpt.restore(self.manager.latest_checkpoint)
        start = int(self.step)
        for i, (x, y) in enumerate(ds.take(steps - start), start + 1):
            loss = self.update(x, y)
            if i % SAVE_EVERY == 0:
                path = self.manager.save(checkpoint_number=i)
                print(f"step {i}: loss {float(loss):.4f} -> {path}")
        self.manager.save(checkpoint_number=steps)


def replay(path, batch_size=256):
    blob = np.load(path)
    obs, returns = blob["obs"].astype("float32"), blob["returns"].astype("float32")[:, None]
    ds = tf.data.Dataset.from_tensor_slices((obs, returns))
    ds = ds.shuffle(len(obs)).repeat()
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE), obs.shape[1]


def main():
    ds, width = replay("/data/hopper/replay.npz")
    critic = tf.keras.Sequential(
        [
            tf.keras.Input((width,)),
            tf.keras.layers.Dense(256, activation="relu"),
            tf.keras.layers.Dense(256, activation="relu"),
            tf.keras.layers.Dense(1),
        ]
    )
    Trainer(critic, "/ckpt/critic").run(ds, steps=100_000)


if __name__ == "__main__":
    main()
