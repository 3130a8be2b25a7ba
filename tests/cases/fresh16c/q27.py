from dataclasses import dataclass, field

import numpy as np
import tensorflow as tf


@dataclass
class TrainSettings:
    batch_size: int = 128
    epochs: int = 25
    steps_per_epoch: int = 400
    learning_rate: float = 1e-3
    hidden: list = field(default_factory=lambda: [256, 64])


class TwoTower(tf.keras.Model):
    def __init__(self, n_users, n_items, hidden):
        super().__init__()
        self.user = tf.keras.layers.Embedding(n_users, 32)
        self.item = tf.keras.layers.Embedding(n_items, 32)
        self.mlp = tf.keras.Sequential(
            [tf.keras.layers.Dense(h, activation="relu") for h in hidden] + [tf.keras.layers.Dense(1)])

    def call(self, inputs):
        both = tf.concat([self.user(inputs["user"]), self.item(inputs["item"])], axis=-1)
        return self.mlp(both)


class BaseExperiment:
    def __init__(self, settings):
        self.settings = settings

    def train_data(self):
        raise NotImplementedError

    def run(self):
        model = self.model()
        model.compile(tf.keras.optimizers.Adam(self.settings.learning_rate), loss="mse")
        return model.fit(
            self.train_data(),
            epochs=self.settings.epochs,
            steps_per_epoch=self.settings.steps_per_epoch,
            verbose=2,
        )


class RatingExperiment(BaseExperiment):
    n_users, n_items, n_rows = 6_000, 4_000, 200_000

    def model(self):
        return TwoTower(self.n_users, self.n_items, self.settings.hidden)

    def train_data(self):
        rng = np.random.default_rng(0)
        users = rng.integers(0, self.n_users, self.n_rows)
        items = rng.integers(0, self.n_items, self.n_rows)
        ratings = ((users % 7 + items % 5) / 2).astype("float32")
        ds = tf.data.Dataset.from_tensor_slices(({"user": users, "item": items}, ratings))
        ds = ds.shuffle(self.n_rows).batch(self.settings.batch_size, drop_remainder=True)
        return ds.prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    history = RatingExperiment(TrainSettings()).run()
    print(history.history["loss"][-1])
