"""Lightning-like data module for land-cover tiles."""
import functools
import pathlib

import tensorflow as tf


class LandCover:
    NUM_CLASSES = 21

    def __init__(self, root, cache_root, side=192, batch_size=32):
        self.root = pathlib.Path(root)
        self.side = side
        self.batch_size = batch_size
        self.cache_file = str(pathlib.Path(cache_root) / f"landcover_{side}")

    @functools.cached_property
    def classes(self):
        return sorted(p.name for p in (self.root / "train").iterdir())

    def _index(self, split):
        pairs = [(str(f), i) for i, c in enumerate(self.classes)
                 for f in sorted((self.root / split / c).glob("*.png"))]
        return [p for p, _ in pairs], [i for _, i in pairs]

    def _load(self, path, label):
        image = tf.io.decode_png(tf.io.read_file(path), channels=3)
        image = tf.image.resize(image, (self.side, self.side), antialias=True)
        return tf.cast(image, tf.uint8), label

    @property
    def train_data(self):
        files, labels = self._index("train")
        return (tf.data.Dataset.from_tensor_slices((files, labels))
                .map(self._load, num_parallel_calls=tf.data.AUTOTUNE)
                .cache(self.cache_file)
                .shuffle(len(files))
                .batch(self.batch_size, drop_remainder=True)
                .prefetch(tf.data.AUTOTUNE))

    @property
    def val_data(self):
        files, labels = self._index("val")
        return (tf.data.Dataset.from_tensor_slices((files, labels))
                .map(self._load, num_parallel_calls=tf.data.AUTOTUNE)
                .cache(self.cache_file)
                .batch(self.batch_size)
                .prefetch(tf.data.AUTOTUNE))


def run(module, epochs=30):
    model = tf.keras.Sequential([
        tf.keras.layers.Input((module.side, module.side, 3)),
        tf.keras.layers.Rescaling(1 / 127.5, offset=-1),
        tf.keras.applications.MobileNetV2(include_top=False, weights=None, pooling="avg",
                                          input_shape=(module.side, module.side, 3)),
        tf.keras.layers.Dense(module.NUM_CLASSES, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    return model.fit(module.train_data, validation_data=module.val_data, epochs=epochs)


if __name__ == "__main__":
    run(LandCover("/data/ucmerced", "/local/cache"))
