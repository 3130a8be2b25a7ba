import pathlib

import tensorflow as tf


def read_png(channels):
    def fn(path):
        img = tf.io.decode_png(tf.io.read_file(path), channels=channels)
        return tf.image.resize(img, (256, 256), method="nearest")
    return fn


class SegmentationData:
    def __init__(self, root, batch_size=16):
        root = pathlib.Path(root)
        self.images = sorted(str(p) for p in (root / "images").glob("*.png"))
        self.masks = sorted(str(p) for p in (root / "masks").glob("*.png"))
        self.batch_size = batch_size

    def _branch(self, paths, channels):
        ds = tf.data.Dataset.from_tensor_slices(paths)
        ds = ds.shuffle(len(paths))
        return ds.map(read_png(channels), num_parallel_calls=tf.data.AUTOTUNE)

    def train(self):
        branches = (self._branch(self.images, 3), self._branch(self.masks, 1))
        ds = tf.data.Dataset.zip(branches)
        ds = ds.map(lambda x, m: (tf.cast(x, tf.float32) / 255.0, tf.cast(m > 0, tf.float32)),
                    num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    model = tf.keras.Sequential([
        tf.keras.Input((256, 256, 3)),
        tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu"),
        tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu"),
        tf.keras.layers.Conv2D(1, 1, activation="sigmoid")])
    model.compile("adam", "binary_crossentropy")
    model.fit(SegmentationData("/data/kvasir").train(), epochs=40)


if __name__ == "__main__":
    main()
