from dataclasses import dataclass

import tensorflow as tf


@dataclass(frozen=True)
class TrainConfig:
    root: str = "/data/imagenette/train"
    image_size: int = 160
    batch_size: int = 32
    epochs: int = 40


class ClassFolders:
    """Images in one folder for each class."""

    def __init__(self, cfg: TrainConfig):
        self.cfg = cfg
        self.classes = sorted(tf.io.gfile.listdir(cfg.root))
        self.paths, self.labels = [], []
        for index, name in enumerate(self.classes):
            found = sorted(tf.io.gfile.glob(f"{cfg.root}/{name}/*.JPEG"))
            self.paths.extend(found)
            self.labels.extend([index] * len(found))

    def _decode(self, path, label):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        size = [self.cfg.image_size, self.cfg.image_size]
        return tf.image.resize(image, size) / 255.0, label

    def _shuffle(self, ds):
        return ds.shuffle(buffer_size=self.cfg.batch_size, reshuffle_each_iteration=True)

    def build(self):
        ds = tf.data.Dataset.from_tensor_slices((self.paths, self.labels))
        ds = self._shuffle(ds)
        ds = ds.map(self._decode, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.cfg.batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    cfg = TrainConfig()
    data = ClassFolders(cfg)
    model = tf.keras.applications.MobileNetV2(
        input_shape=(cfg.image_size, cfg.image_size, 3),
        weights=None, classes=len(data.classes))
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(data.build(), epochs=cfg.epochs)


if __name__ == "__main__":
    main()
