from dataclasses import dataclass

import tensorflow as tf
from tqdm import trange


@dataclass
class Recipe:
    files: str = "poems/*.txt"
    length: int = 40
    epochs: int = 30

    def dataset(self):
        ds = tf.data.TextLineDataset(sorted(tf.io.gfile.glob(self.files)))
        ds = ds.shuffle(5000).batch(64)
        ds = ds.map(self.ids, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)

    def ids(self, lines):
        codes = tf.strings.unicode_decode(lines, "UTF-8").to_tensor(shape=(None, self.length + 1))
        codes = tf.minimum(codes, 255)
        return codes[:, :-1], codes[:, 1:]


recipe = Recipe()
model = tf.keras.Sequential([
    tf.keras.layers.Embedding(256, 32),
    tf.keras.layers.GRU(128, return_sequences=True),
    tf.keras.layers.Dense(256),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
with trange(recipe.epochs) as bar:
    for epoch in bar:
        for x, y in recipe.dataset():
            loss = model.train_on_batch(x, y)
        bar.set_postfix(loss=float(loss))
