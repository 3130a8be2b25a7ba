"""Train a ResNet on a folder of chest X-rays (research code)."""
import argparse
import glob
import os

import tensorflow as tf

AUTO = tf.data.AUTOTUNE


def get_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default="/data/chexpert")
    parser.add_argument("--bs", type=int, default=256)
    parser.add_argument("--size", type=int, default=320)
    parser.add_argument("--epochs", type=int, default=30)
    return parser.parse_args()


class XrayData:
    def __init__(self, args, split):
        self.args = args
        self.split = split
        self.files = sorted(glob.glob(os.path.join(args.data, split, "*", "*.jpg")))
        self.labels = [int("positive" in f) for f in self.files]

    def _load(self, path, label):
        img = tf.io.decode_jpeg(tf.io.read_file(path), channels=1)
        img = tf.image.resize(img, [self.args.size, self.args.size]) / 255.0
        return img, label

    def loader(self):
        ds = tf.data.Dataset.from_tensor_slices((self.files, self.labels))
        if self.split == "train":
            ds = ds.shuffle(len(self.files))
        ds = ds.map(self._load, num_parallel_calls=AUTO)
        ds = ds.batch(self.args.bs)
        return ds.prefetch(self.args.bs)


def main():
    args = get_args()
    train, valid = (XrayData(args, s).loader() for s in ("train", "valid"))
    model = tf.keras.applications.ResNet50(
        weights=None, input_shape=(args.size, args.size, 1), classes=1,
        classifier_activation="sigmoid")
    model.compile("adam", "binary_crossentropy", metrics=[tf.keras.metrics.AUC()])
    model.fit(train, validation_data=valid, epochs=args.epochs)
    model.save("xray.keras")


if __name__ == "__main__":
    main()
