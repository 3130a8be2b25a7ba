import argparse
import pathlib

import tensorflow as tf
from tensorflow.data import AUTOTUNE, Dataset


def decode(path, label):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(img, (160, 160)), label


class FlowersData:
    def __init__(self, root, val_fraction=0.2):
        self.paths = sorted(str(p) for p in pathlib.Path(root).glob("*/*.jpg"))
        names = sorted({pathlib.Path(p).parent.name for p in self.paths})
        self.labels = [names.index(pathlib.Path(p).parent.name) for p in self.paths]
        self.num_classes = len(names)
        self.n_val = int(len(self.paths) * val_fraction)
        self._all = None

    @property
    def examples(self):
        if self._all is None:
            ds = Dataset.from_tensor_slices((self.paths, self.labels))
            self._all = ds.shuffle(len(self.paths), seed=17)
        return self._all

    def train_dataloader(self, batch):
        ds = self.examples.skip(self.n_val)
        return ds.map(decode, num_parallel_calls=AUTOTUNE).batch(batch).prefetch(AUTOTUNE)

    def val_dataloader(self, batch):
        ds = self.examples.take(self.n_val)
        return ds.map(decode, num_parallel_calls=AUTOTUNE).batch(batch).prefetch(AUTOTUNE)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--root", default="/data/flowers")
    args = p.parse_args()
    data = FlowersData(args.root)
    base = tf.keras.applications.MobileNetV2(input_shape=(160, 160, 3), include_top=False, pooling="avg")
    model = tf.keras.Sequential([tf.keras.layers.Rescaling(1 / 127.5, -1), base, tf.keras.layers.Dense(data.num_classes)])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    model.fit(data.train_dataloader(32), validation_data=data.val_dataloader(32), epochs=10)


if __name__ == "__main__":
    main()
