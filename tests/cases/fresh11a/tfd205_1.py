import pathlib

import tensorflow as tf


class PlantFolder:
    def __init__(self, root, size=224):
        self.root = pathlib.Path(root)
        self.size = size
        self.classes = sorted(p.name for p in self.root.iterdir())
        self.index = {name: i for i, name in enumerate(self.classes)}

    def _label(self, path):
        name = tf.strings.split(path, "/")[-2]
        return self.index[name.numpy().decode("utf-8")]

    def _image(self, path):
        data = tf.io.read_file(path)
        return tf.image.resize(tf.io.decode_jpeg(data, channels=3), [self.size] * 2)

    def _load(self, path):
        return self._image(path) / 255.0, self._label(path)

    def dataset(self, batch_size):
        files = [str(p) for p in self.root.glob("*/*.jpg")]
        ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files))
        ds = ds.map(self._load, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    folder = PlantFolder("/data/plants/train")
    model = tf.keras.applications.MobileNetV2(weights=None, classes=len(folder.classes))
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(folder.dataset(64), epochs=15)


if __name__ == "__main__":
    main()
