import pathlib

import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


class ProductImages:
    """Photos from the shop; sellers upload JPEG, PNG and GIF."""

    def __init__(self, root, image_size=(224, 224), batch_size=64):
        self.root = pathlib.Path(root)
        self.image_size = image_size
        self.batch_size = batch_size
        self.categories = sorted(p.name for p in self.root.iterdir() if p.is_dir())

    def _index(self):
        paths, labels = [], []
        for label, name in enumerate(self.categories):
            for path in sorted((self.root / name).iterdir()):
                paths.append(str(path))
                labels.append(label)
        return paths, labels

    def _decode(self, path, label):
        content = tf.io.read_file(path)
        return tf.io.decode_image(content, channels=3), label

    def _resize(self, image, label):
        return tf.image.resize(image, self.image_size), label

    def train(self):
        paths, labels = self._index()
        ds = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths))
        for stage in (self._decode, self._resize):
            ds = ds.map(stage, num_parallel_calls=AUTOTUNE)
        return ds.batch(self.batch_size).prefetch(AUTOTUNE)


def main():
    data = ProductImages("/data/products")
    model = tf.keras.applications.EfficientNetB0(weights=None, classes=len(data.categories))
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(data.train(), epochs=12)
    model.save("products.keras")


if __name__ == "__main__":
    main()
