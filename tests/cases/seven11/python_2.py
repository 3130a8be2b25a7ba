"""Feeds an existing Keras sequence through tf.data so that it can be distributed."""
import math

import numpy as np
import tensorflow as tf
from keras.utils import PyDataset, load_img


class PetSequence(PyDataset):
    def __init__(self, paths, targets, batch_size, img_size):
        super().__init__()
        self.paths, self.targets = paths, targets
        self.batch_size, self.img_size = batch_size, img_size

    def __len__(self):
        return math.ceil(len(self.paths) / self.batch_size)

    def __getitem__(self, idx):
        rows = slice(idx * self.batch_size, (idx + 1) * self.batch_size)
        x = np.stack([np.asarray(load_img(p, target_size=self.img_size)) for p in self.paths[rows]])
        return x.astype("float32") / 255.0, self.targets[rows]


def to_tf_dataset(seq, n_targets):
    def generator():
        order = np.random.permutation(len(seq))
        for i in order:
            yield seq[int(i)]

    spec = (
        tf.TensorSpec((None, *seq.img_size, 3), tf.float32),
        tf.TensorSpec((None, n_targets), tf.float32),
    )
    return tf.data.Dataset.from_generator(generator, output_signature=spec).prefetch(tf.data.AUTOTUNE)


def main():
    index = np.load("/data/pets/index.npz", allow_pickle=True)
    seq = PetSequence(index["paths"], index["targets"].astype("float32"), 64, (224, 224))
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = tf.keras.applications.MobileNetV2(
            weights=None, classes=index["targets"].shape[1], classifier_activation="sigmoid"
        )
        model.compile("adam", "binary_crossentropy")
    model.fit(to_tf_dataset(seq, index["targets"].shape[1]), epochs=15)


if __name__ == "__main__":
    main()
