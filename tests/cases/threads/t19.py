import os

os.environ["TF_USE_LEGACY_KERAS"] = "1"

import pandas as pd
import tensorflow as tf
import tensorflow_recommenders as tfrs

ratings = pd.read_csv("plays.csv", dtype=str)
items = tf.data.Dataset.from_tensor_slices(ratings["song"].unique())
ds = tf.data.Dataset.from_tensor_slices({"user": ratings["user"].to_numpy(), "song": ratings["song"].to_numpy()})
ds = ds.shuffle(len(ratings), seed=42, reshuffle_each_iteration=False)
n_train = int(0.8 * len(ratings))


def tower(vocab):
    return tf.keras.Sequential([
        tf.keras.layers.StringLookup(vocabulary=vocab, mask_token=None),
        tf.keras.layers.Embedding(len(vocab) + 1, 32),
    ])


class SongModel(tfrs.Model):
    def __init__(self, user_model, song_model):
        super().__init__()
        self.user_model = user_model
        self.song_model = song_model
        self.task = tfrs.tasks.Retrieval(
            metrics=tfrs.metrics.FactorizedTopK(candidates=items.batch(128).map(song_model)))

    def compute_loss(self, features, training=False):
        user_embeddings = self.user_model(features["user"])
        song_embeddings = self.song_model(features["song"])
        return self.task(user_embeddings, song_embeddings)


model = SongModel(tower(ratings["user"].unique()), tower(ratings["song"].unique()))
model.compile(optimizer=tf.keras.optimizers.Adagrad(learning_rate=0.1))

train_ds = ds.take(n_train).shuffle(100_000)
test_ds = ds.skip(n_train)
cached_test = test_ds.batch(4096).cache()

model.fit(train_ds, epochs=3)
model.evaluate(cached_test, return_dict=True)
