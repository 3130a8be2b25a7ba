import csv
import glob
import gzip
from functools import partial

import tensorflow as tf
from tensorflow.data import AUTOTUNE, Dataset

N_USERS, N_ITEMS = 1_500_000, 320_000
SPLITS = {"train": "/logs/2023-0[1-9]-*.csv.gz", "valid": "/logs/2023-10-*.csv.gz"}


def iter_rows(pattern):
    for path in sorted(glob.glob(pattern)):
        with gzip.open(path, "rt") as f:
            for row in csv.reader(f):
                yield int(row[0]) % N_USERS, int(row[1]) % N_ITEMS, float(row[2])


def make_datasets(batch_size):
    datasets = {}
    for split, pattern in SPLITS.items():
        ds = Dataset.from_generator(
            partial(iter_rows, pattern),
            output_types=(tf.int32, tf.int32, tf.float32),
            output_shapes=((), (), ()),
        )
        if split == "train":
            ds = ds.shuffle(1_000_000)
        datasets[split] = ds.batch(batch_size, drop_remainder=True).prefetch(AUTOTUNE)
    return datasets


class TwoTower(tf.Module):
    def __init__(self, dim=64):
        super().__init__()
        self.users = tf.Variable(tf.random.normal([N_USERS, dim], stddev=0.05))
        self.items = tf.Variable(tf.random.normal([N_ITEMS, dim], stddev=0.05))

    def __call__(self, u, i):
        return tf.reduce_sum(tf.gather(self.users, u) * tf.gather(self.items, i), -1)


def main():
    data = make_datasets(16_384)
    model = TwoTower()
    opt = tf.keras.optimizers.Adagrad(0.05)

    @tf.function
    def train_step(u, i, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(y, model(u, i)))
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss

    for epoch in range(3):
        for step, (u, i, y) in enumerate(data["train"]):
            loss = train_step(u, i, y)
            if step % 1000 == 0:
                print(epoch, step, float(loss))


if __name__ == "__main__":
    main()
