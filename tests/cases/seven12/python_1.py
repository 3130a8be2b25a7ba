import random

import cv2
import numpy as np
import tensorflow as tf


class CocoGenerator:
    def __init__(self, image_paths, labels, size=320):
        self.items = list(zip(image_paths, labels))
        self.size = size

    def __len__(self):
        return len(self.items)

    def __call__(self):
        random.shuffle(self.items)
        for path, label in self.items:
            image = cv2.cvtColor(cv2.imread(path), cv2.COLOR_BGR2RGB)
            image = cv2.resize(image, (self.size, self.size))
            yield image.astype(np.float32) / 255.0, label


class DataModule:
    def __init__(self, root, batch_size=64):
        self.paths = sorted(tf.io.gfile.glob(f"{root}/*/*.jpg"))
        names = sorted({p.split("/")[-2] for p in self.paths})
        self.labels = [names.index(p.split("/")[-2]) for p in self.paths]
        self.batch_size = batch_size

    def train_dataloader(self):
        source = CocoGenerator(self.paths, self.labels)
        signature = (
            tf.TensorSpec((320, 320, 3), tf.float32),
            tf.TensorSpec((), tf.int32),
        )
        ds = tf.data.Dataset.from_generator(source, output_signature=signature)
        ds = ds.apply(tf.data.experimental.assert_cardinality(len(source)))
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    data = DataModule("/data/coco_crops/train")
    model = tf.keras.applications.MobileNetV2((320, 320, 3), weights=None, classes=80)
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(data.train_dataloader(), epochs=25)
