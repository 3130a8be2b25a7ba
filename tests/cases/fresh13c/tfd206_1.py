"""Train a flower classifier.  aug.py and data.py are inlined below for the cluster launcher."""
import argparse
import pathlib

import tensorflow as tf


# ---- aug.py ---------------------------------------------------------------
class Augmenter:
    def __init__(self, size, seed):
        self.size = size
        self.key = tf.constant([seed, 0], dtype=tf.int32)

    def __call__(self, image, label):
        image = tf.image.stateless_random_flip_left_right(image, seed=self.key)
        image = tf.image.stateless_random_crop(image, [self.size, self.size, 3], seed=self.key)
        return image, label


# ---- data.py --------------------------------------------------------------
def load(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.cast(tf.image.resize(image, [256, 256]), tf.uint8)
    return image, label


def train_data(root, args):
    classes = sorted(p.name for p in pathlib.Path(root).iterdir() if p.is_dir())
    files, labels = [], []
    for i, c in enumerate(classes):
        for f in sorted((pathlib.Path(root) / c).glob("*.jpg")):
            files.append(str(f))
            labels.append(i)
    augment = Augmenter(224, args.seed)
    ds = tf.data.Dataset.from_tensor_slices((files, labels))
    ds = ds.shuffle(len(files), seed=args.seed)
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(args.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE), len(classes)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--data", required=True)
    p.add_argument("--batch-size", type=int, default=64)
    p.add_argument("--epochs", type=int, default=40)
    p.add_argument("--seed", type=int, default=17)
    args = p.parse_args()
    tf.keras.utils.set_random_seed(args.seed)
    ds, n = train_data(args.data, args)
    model = tf.keras.applications.MobileNetV3Small(weights=None, classes=n)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(ds, epochs=args.epochs)


if __name__ == "__main__":
    main()
