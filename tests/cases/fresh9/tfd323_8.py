import glob
import pickle

import numpy as np
import tensorflow as tf


class Gallery:
    """Index of product photos for retrieval."""

    def __init__(self, folder, encoder=None):
        self.paths = sorted(glob.glob(f"{folder}/**/*.jpg", recursive=True))
        self.encoder = encoder or tf.keras.applications.EfficientNetB0(
            include_top=False, pooling="avg")

    @property
    def images(self):
        def load(path):
            image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
            return tf.image.resize(image, [224, 224])

        ds = tf.data.Dataset.from_tensor_slices(self.paths)
        return ds.map(load, num_parallel_calls=tf.data.AUTOTUNE).prefetch(32)

    def embeddings(self):
        vectors = [
            self.encoder(x[tf.newaxis], training=False)[0].numpy()
            for x in self.images
        ]
        matrix = np.stack(vectors)
        return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)

    def save(self, path):
        with open(path, "wb") as f:
            pickle.dump({"paths": self.paths, "vectors": self.embeddings()}, f)


def nearest(index, query, k=10):
    scores = index["vectors"] @ query
    return [index["paths"][i] for i in np.argsort(-scores)[:k]]


def main():
    for brand in ("shoes", "bags", "watches"):
        gallery = Gallery(f"/data/products/{brand}")
        print(brand, len(gallery.paths))
        gallery.save(f"{brand}.pkl")


if __name__ == "__main__":
    main()
