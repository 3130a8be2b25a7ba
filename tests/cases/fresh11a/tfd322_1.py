import argparse
from pathlib import Path

import cv2
import numpy as np
import tensorflow as tf


class SegmentationData:
    def __init__(self, root, size, batch_size):
        self.root = Path(root)
        self.size = (size, size)
        self.batch_size = batch_size
        self.images, self.masks = [], []

    def _read(self, path):
        image = cv2.imread(str(path), cv2.IMREAD_COLOR)
        return cv2.resize(image, self.size)

    def _read_mask(self, path):
        mask = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
        return cv2.resize(mask, self.size, interpolation=cv2.INTER_NEAREST)

    def setup(self):
        for path in sorted((self.root / "images").glob("*.jpg")):
            self.images.append(self._read(path))
            self.masks.append(self._read_mask(self.root / "masks" / f"{path.stem}.png"))

    def train(self):
        data = (np.stack(self.images), np.stack(self.masks))
        ds = tf.data.Dataset.from_tensor_slices(data)
        ds = ds.shuffle(len(self.images)).batch(self.batch_size)
        return ds.prefetch(tf.data.AUTOTUNE)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--root", default="/data/roads")
    args = p.parse_args()
    data = SegmentationData(args.root, 512, 8)
    data.setup()
    model = tf.keras.models.load_model("unet_init.keras")
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(data.train(), epochs=40)


if __name__ == "__main__":
    main()
