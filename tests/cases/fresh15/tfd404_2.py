"""Three-way split of accelerometer windows."""
from dataclasses import dataclass

import numpy as np
import tensorflow as tf


@dataclass
class SplitSizes:
    train: float = 0.7
    valid: float = 0.15

    def counts(self, n):
        a = int(n * self.train)
        b = int(n * self.valid)
        return a, b, n - a - b


class WindowSource:
    def __init__(self, path):
        blob = np.load(path)
        self.x = blob["windows"].astype("float32")
        self.y = blob["activity"].astype("int32")

    def __len__(self):
        return len(self.x)

    def examples(self):
        ds = tf.data.Dataset.from_tensor_slices((self.x, self.y))
        return ds.shuffle(buffer_size=len(self))


class HumanActivity(WindowSource):
    sizes = SplitSizes()

    def parts(self):
        n_train, n_valid, n_test = self.sizes.counts(len(self))
        everything = self.examples()
        rest = everything.skip(n_train)
        return {
            "train": everything.take(n_train),
            "valid": rest.take(n_valid),
            "test": rest.skip(n_valid).take(n_test),
        }

    def batches(self, size):
        return {
            name: part.batch(size).prefetch(tf.data.AUTOTUNE)
            for name, part in self.parts().items()
        }


def train_epoch(model, optimizer, loss_fn, ds):
    for x, y in ds:
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))


def accuracy(model, ds):
    metric = tf.keras.metrics.SparseCategoricalAccuracy()
    for x, y in ds:
        metric.update_state(y, model(x, training=False))
    return float(metric.result())


def main():
    parts = HumanActivity("har.npz").batches(128)
    model = tf.keras.Sequential(
        [
            tf.keras.layers.Conv1D(64, 7, activation="relu"),
            tf.keras.layers.GlobalMaxPooling1D(),
            tf.keras.layers.Dense(6),
        ]
    )
    step = tf.function(train_epoch)
    optimizer = tf.keras.optimizers.Adam()
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.build((None,) + parts["train"].element_spec[0].shape[1:])
    optimizer.build(model.trainable_variables)
    for epoch in range(25):
        step(model, optimizer, loss_fn, parts["train"])
        print(epoch, accuracy(model, parts["valid"]))
    print("test", accuracy(model, parts["test"]))


if __name__ == "__main__":
    main()
