import numpy as np
import tensorflow as tf


class TableSource:
    cache_path = "/scratch/recsys/table.cache"
    record_files = ()
    batch_size = 1024

    def features(self):
        raise NotImplementedError

    def decode(self, batch):
        return tf.io.parse_example(batch, self.features())

    def build(self):
        ds = tf.data.TFRecordDataset(list(self.record_files), num_parallel_reads=tf.data.AUTOTUNE)
        ds = ds.batch(self.batch_size)
        ds = ds.map(self.decode, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.cache(self.cache_path)
        return ds.prefetch(tf.data.AUTOTUNE)


class RatingTrain(TableSource):
    record_files = ("ratings-2022.tfrecord", "ratings-2023.tfrecord")

    def features(self):
        return {
            "user": tf.io.FixedLenFeature([], tf.int64),
            "item": tf.io.FixedLenFeature([], tf.int64),
            "stars": tf.io.FixedLenFeature([], tf.float32),
        }


class RatingHoldout(RatingTrain):
    record_files = ("ratings-2024.tfrecord",)


class Factorisation(tf.keras.Model):
    def __init__(self, users, items, width=32):
        super().__init__()
        self.user_table = tf.keras.layers.Embedding(users, width)
        self.item_table = tf.keras.layers.Embedding(items, width)

    def call(self, batch):
        return tf.reduce_sum(self.user_table(batch["user"]) * self.item_table(batch["item"]), axis=-1)


def run(epochs=10):
    train = RatingTrain().build()
    holdout = RatingHoldout().build()
    model = Factorisation(200_000, 40_000)
    optimizer = tf.keras.optimizers.Adagrad(0.1)

    @tf.function
    def train_step(batch):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(batch["stars"] - model(batch)))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))

    @tf.function
    def eval_step(batch):
        return tf.reduce_mean(tf.square(batch["stars"] - model(batch)))

    for epoch in range(epochs):
        for batch in train:
            train_step(batch)
        errors = [eval_step(batch) for batch in holdout]
        print(epoch, "rmse", np.sqrt(np.mean(errors)))


if __name__ == "__main__":
    run()
