import pathlib

import numpy as np
import tensorflow as tf


class BaseLoader:
    batch_size = 8
    prefetch_batches = 2

    def __init__(self, root):
        self.cases = sorted(str(p) for p in pathlib.Path(root).glob("*.npz"))

    def load_case(self, path):
        raise NotImplementedError

    def tf_load(self, path):
        image, mask = tf.numpy_function(self.load_case, [path], [tf.float32, tf.int32])
        image.set_shape([128, 128, 128, 1])
        mask.set_shape([128, 128, 128])
        return image, mask

    def finalize(self, ds):
        return ds.prefetch(self.prefetch_batches)

    def build(self):
        ds = tf.data.Dataset.from_tensor_slices(self.cases).shuffle(len(self.cases))
        ds = ds.map(self.tf_load, num_parallel_calls=4)
        return self.finalize(ds.batch(self.batch_size))


class BratsLoader(BaseLoader):
    prefetch_batches = 64

    def load_case(self, path):
        with np.load(path.decode()) as z:
            volume = z["flair"].astype(np.float32)
            mask = z["seg"].astype(np.int32)
        volume = (volume - volume.mean()) / (volume.std() + 1e-6)
        return volume[..., None], mask


def dice_loss(y_true, y_pred):
    y_true = tf.one_hot(y_true, 4)
    inter = tf.reduce_sum(y_true * y_pred, [1, 2, 3])
    return 1 - tf.reduce_mean(2 * inter / (tf.reduce_sum(y_true + y_pred, [1, 2, 3]) + 1e-6))


def main():
    inputs = tf.keras.Input((128, 128, 128, 1))
    x = tf.keras.layers.Conv3D(16, 3, padding="same", activation="relu")(inputs)
    x = tf.keras.layers.Conv3D(16, 3, padding="same", activation="relu")(x)
    outputs = tf.keras.layers.Conv3D(4, 1, activation="softmax")(x)
    model = tf.keras.Model(inputs, outputs)
    model.compile(tf.keras.optimizers.Adam(1e-4), dice_loss)
    train = BratsLoader("/data/brats/train").build()
    model.fit(train, epochs=300)


if __name__ == "__main__":
    main()
