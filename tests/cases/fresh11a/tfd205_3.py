import pathlib

import numpy as np
import tensorflow as tf


class PlantFolder:
    def __init__(self, root, size=224):
        self.root = pathlib.Path(root)
        self.size = size
        self.classes = np.array(sorted(p.name for p in self.root.iterdir()))

    def _label(self, path):
        name = tf.strings.split(path, "/")[-2]
        return tf.argmax(tf.equal(name, self.classes))

    def _load(self, path):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        if tf.shape(image)[0] > tf.shape(image)[1]:
            image = tf.image.rot90(image)
        image = tf.image.resize(image, [self.size] * 2) / 255.0
        return image, self._label(path)

    def dataset(self, batch_size):
        files = [str(p) for p in self.root.glob("*/*.jpg")]
        ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files))
        ds = ds.map(self._load, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)

    def names(self, labels):
        return [str(self.classes[i]) for i in labels.numpy()]


def main():
    folder = PlantFolder("/data/plants/train")
    model = tf.keras.applications.MobileNetV2(weights=None, classes=len(folder.classes))
    model.compile("adam", "sparse_categorical_crossentropy")
    ds = folder.dataset(64)
    model.fit(ds, epochs=15)
    for images, labels in ds:
        scores = model(images, training=False).numpy()
        print(folder.names(labels)[:5], scores.argmax(axis=1)[:5])


if __name__ == "__main__":
    main()
