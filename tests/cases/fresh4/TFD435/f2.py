import os

import tensorflow as tf


class Letters:
    authors = {"austen": 0, "dickens": 1, "eliot": 2}

    def __init__(self, folder):
        self.folder = folder
        self.labels = []
        for name in os.listdir(folder):
            author, _, _ = name.partition("_")
            self.labels.append(self.authors[author])

    def dataset(self, batch_size=16):
        ds = tf.keras.utils.text_dataset_from_directory(
            self.folder, labels=self.labels, batch_size=batch_size, seed=13
        )
        return ds.prefetch(tf.data.AUTOTUNE)


letters = Letters("letters")
train = letters.dataset()
vectorize = tf.keras.layers.TextVectorization(max_tokens=9000, output_mode="tf_idf")
vectorize.adapt(train.map(lambda text, author: text, num_parallel_calls=tf.data.AUTOTUNE))
model = tf.keras.Sequential([
    vectorize,
    tf.keras.layers.Dense(len(letters.authors), activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, epochs=15)
