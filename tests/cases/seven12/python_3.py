import numpy as np
import tensorflow as tf


class VolumeLoader:
    def __init__(self, cfg):
        self.cfg = cfg

    @staticmethod
    def _read_npz(path):
        with np.load(path.numpy().decode()) as z:
            volume = z["ct"].astype(np.float32)
        volume = np.clip(volume, -1000, 400)
        return (volume - volume.mean()) / (volume.std() + 1e-6)

    def _load(self, path, label):
        volume = tf.py_function(self._read_npz, [path], tf.float32)
        volume.set_shape(self.cfg["shape"])
        return volume[..., tf.newaxis], label

    def dataset(self, paths, labels):
        ds = tf.data.Dataset.from_tensor_slices((paths, labels))
        ds = ds.shuffle(len(paths))
        ds = ds.map(self._load, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.cfg["batch"]).prefetch(tf.data.AUTOTUNE)


def main():
    cfg = {"shape": (64, 128, 128), "batch": 8}
    paths = sorted(tf.io.gfile.glob("/data/luna16/*/*.npz"))
    labels = [int("nodule" in p) for p in paths]
    model = tf.keras.Sequential([
        tf.keras.Input((64, 128, 128, 1)),
        tf.keras.layers.Conv3D(32, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling3D(),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=["AUC"])
    model.fit(VolumeLoader(cfg).dataset(paths, labels), epochs=100)


if __name__ == "__main__":
    main()
