"""Plant disease photos from the phone app."""
import argparse
import os

import tensorflow as tf


class PhotoFolder:
    def __init__(self, root, side):
        self.root = root
        self.side = side
        self.classes = sorted(os.listdir(root))

    def _open(self, name):
        kind = tf.strings.split(name, os.sep)[-2]
        label = tf.argmax(tf.equal(self.classes, kind))
        photo = tf.io.decode_jpeg(tf.io.read_file(name), channels=3)
        photo = tf.image.resize(photo, [self.side, self.side])
        return photo / 255.0, label

    def elements(self):
        names = tf.data.Dataset.list_files(os.path.join(self.root, "*", "*.jpg"), shuffle=False)
        return names.map(self._open, num_parallel_calls=tf.data.AUTOTUNE)

    def batches(self, size):
        return self.elements().batch(size).prefetch(tf.data.AUTOTUNE)


class ShuffledFolder(PhotoFolder):
    reach = 20_000

    def elements(self):
        return super().elements().shuffle(self.reach)


def build(side, classes):
    base = tf.keras.applications.MobileNetV2((side, side, 3), include_top=False, pooling="avg")
    base.trainable = False
    return tf.keras.Sequential([
        tf.keras.layers.Rescaling(2.0, -1.0),
        tf.keras.layers.RandomFlip(),
        base,
        tf.keras.layers.Dense(classes, activation="softmax"),
    ])


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--root", default="plants")
    ap.add_argument("--side", type=int, default=224)
    ap.add_argument("--batch", type=int, default=64)
    opt = ap.parse_args()

    train = ShuffledFolder(os.path.join(opt.root, "train"), opt.side)
    test = PhotoFolder(os.path.join(opt.root, "test"), opt.side)
    model = build(opt.side, len(train.classes))
    model.compile("adam", "sparse_categorical_crossentropy", ["accuracy"])
    model.fit(train.batches(opt.batch), validation_data=test.batches(opt.batch), epochs=8)


if __name__ == "__main__":
    main()
