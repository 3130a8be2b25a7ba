import argparse
import os

import tensorflow as tf


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--images", default="/data/pets/images/*.jpg")
    p.add_argument("--classes", default="/data/pets/classes.txt")
    p.add_argument("--workers", type=int, default=0, help="0 lets tf.data choose.")
    p.add_argument("--batch-size", type=int, default=64)
    return p.parse_args()


class PetsTrainer:
    def __init__(self, args):
        self.args = args
        self.workers = min(args.workers, os.cpu_count()) or tf.data.AUTOTUNE
        with open(args.classes) as f:
            names = f.read().split()
        self.lookup = tf.keras.layers.StringLookup(vocabulary=names, num_oov_indices=0)
        self.model = tf.keras.applications.EfficientNetB0(
            weights=None, classes=len(names), input_shape=(256, 256, 3))
        self.model.compile("adam", "sparse_categorical_crossentropy")

    def load(self, path):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        image = tf.image.resize(image, (256, 256))
        name = tf.strings.split(path, "/")[-1]
        breed = tf.strings.regex_replace(name, r"_\d+\.jpg$", "")
        return image / 255.0, self.lookup(breed)

    def make_dataset(self):
        paths = tf.io.gfile.glob(self.args.images)
        ds = tf.data.Dataset.from_tensor_slices(paths).shuffle(len(paths))
        ds = ds.map(self.load, num_parallel_calls=self.workers)
        return ds.batch(self.args.batch_size).prefetch(tf.data.AUTOTUNE)

    def run(self, epochs):
        return self.model.fit(self.make_dataset(), epochs=epochs)


if __name__ == "__main__":
    PetsTrainer(parse_args()).run(epochs=30)
