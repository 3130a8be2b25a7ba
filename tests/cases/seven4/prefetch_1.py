"""Train a bird classifier."""
import pathlib

import click
import tensorflow as tf


class Birds:
    def __init__(self, root, side, batch_size):
        self.root = pathlib.Path(root)
        self.side = side
        self.batch_size = batch_size
        self.names = sorted(p.name for p in self.root.iterdir() if p.is_dir())

    @property
    def files(self):
        found = [(str(f), self.names.index(f.parent.name)) for f in self.root.glob("*/*.jpg")]
        return map(list, zip(*found))

    def _load(self, path, label):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        image = tf.image.resize(image, (self.side, self.side))
        return tf.keras.applications.efficientnet.preprocess_input(image), label

    @property
    def train(self):
        paths, labels = self.files
        ds = tf.data.Dataset.from_tensor_slices((paths, labels))
        ds = ds.shuffle(len(paths))
        ds = ds.map(self._load, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(self.batch_size, drop_remainder=True)
        ds.prefetch(tf.data.AUTOTUNE)
        return ds


@click.command()
@click.argument("root", type=click.Path(exists=True))
@click.option("--side", default=260, show_default=True)
@click.option("--batch-size", default=48, show_default=True)
@click.option("--epochs", default=40, show_default=True)
def main(root, side, batch_size, epochs):
    birds = Birds(root, side, batch_size)
    model = tf.keras.applications.EfficientNetB2(weights=None, input_shape=(side, side, 3), classes=len(birds.names))
    model.compile(tf.keras.optimizers.Adam(3e-4), "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(birds.train, epochs=epochs)


if __name__ == "__main__":
    main()
