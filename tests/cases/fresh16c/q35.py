import pathlib

import numpy as np
import tensorflow as tf
from sklearn.model_selection import GroupKFold

ROOT = pathlib.Path("/data/histology")
CACHE = ROOT / "tmp" / "decoded"
CACHE.parent.mkdir(parents=True, exist_ok=True)


class PatchLoader:
    def __init__(self, paths, labels, cache=None):
        self.paths, self.labels, self.cache = paths, labels, cache

    @staticmethod
    def load(path, label):
        patch = tf.io.decode_png(tf.io.read_file(path), channels=3)
        patch = tf.image.resize(patch, (96, 96), method="area")
        return patch / 255.0, label

    def dataset(self, training):
        ds = tf.data.Dataset.from_tensor_slices((self.paths, self.labels))
        ds = ds.map(self.load, num_parallel_calls=tf.data.AUTOTUNE)
        if self.cache:
            ds = ds.cache(self.cache)
        if training:
            ds = ds.shuffle(2048)
        return ds.batch(64).prefetch(tf.data.AUTOTUNE)


def network():
    m = tf.keras.Sequential([
        tf.keras.Input((96, 96, 3)),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.MaxPool2D(),
        tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.GlobalMaxPooling2D(),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    m.compile("adam", "binary_crossentropy", metrics=["AUC"])
    return m


paths = np.array(sorted(str(p) for p in ROOT.glob("patches/*/*.png")))
patients = np.array([p.split("/")[-2] for p in paths])
labels = np.array([float(p.endswith("_1.png")) for p in paths], "float32")

scores = []
for fold, (fit_idx, held_idx) in enumerate(GroupKFold(5).split(paths, labels, patients)):
    train = PatchLoader(paths[fit_idx], labels[fit_idx], cache=str(CACHE)).dataset(True)
    held = PatchLoader(paths[held_idx], labels[held_idx]).dataset(False)
    model = network()
    model.fit(train, epochs=10, verbose=2)
    scores.append(model.evaluate(held, verbose=0)[1])
    print("fold", fold, "auc", scores[-1])
print("mean", np.mean(scores), "+-", np.std(scores))
