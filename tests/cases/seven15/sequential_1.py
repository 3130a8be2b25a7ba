import pathlib

import tensorflow as tf


class BirdFolder:
    def __init__(self, root, side=300, batch=32, seed=17):
        self.root = pathlib.Path(root)
        self.names = sorted(p.name for p in self.root.iterdir() if p.is_dir())
        self.side, self.batch, self.seed = side, batch, seed

    def _index(self):
        files, labels = [], []
        for i, name in enumerate(self.names):
            for f in sorted((self.root / name).glob("*.jpg")):
                files.append(str(f))
                labels.append(i)
        return files, labels

    def _load(self, path, label):
        img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        img = tf.image.resize_with_pad(img, self.side, self.side, antialias=True)
        img = tf.image.adjust_contrast(img, 1.3)
        return img, label

    def dataset(self):
        files, labels = self._index()
        ds = tf.data.Dataset.from_tensor_slices((files, labels))
        ds = ds.shuffle(len(files), seed=self.seed)
        ds = ds.map(self._load)
        ds = ds.batch(self.batch)
        return ds.prefetch(tf.data.AUTOTUNE)


def network(classes):
    core = tf.keras.applications.EfficientNetB0(include_top=False, pooling="avg")
    core.trainable = False
    return tf.keras.Sequential([core, tf.keras.layers.Dense(classes, activation="softmax")])


if __name__ == "__main__":
    birds = BirdFolder("/data/cub200/train")
    model = network(len(birds.names))
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(birds.dataset(), epochs=8)
