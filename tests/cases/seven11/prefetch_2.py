from dataclasses import dataclass
from pathlib import Path

import tensorflow as tf
from tensorflow.keras import layers

AUTOTUNE = tf.data.AUTOTUNE


@dataclass
class DataConfig:
    root: str = "/data/plant_disease"
    image_size: int = 224
    batch_size: int = 64
    seed: int = 1337


class LeafDataModule:
    def __init__(self, cfg: DataConfig):
        self.cfg = cfg
        self.classes = sorted(p.name for p in Path(cfg.root, "train").iterdir())

    def _index(self, split):
        paths, labels = [], []
        for i, name in enumerate(self.classes):
            for p in sorted(Path(self.cfg.root, split, name).glob("*.jpg")):
                paths.append(str(p))
                labels.append(i)
        return paths, labels

    def _load(self, path, label):
        img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        img = tf.image.resize(img, [self.cfg.image_size] * 2)
        return img, label

    def _build(self, split, training):
        paths, labels = self._index(split)
        ds = tf.data.Dataset.from_tensor_slices((paths, labels))
        if training:
            ds = ds.shuffle(len(paths), seed=self.cfg.seed)
        ds = ds.prefetch(AUTOTUNE)
        ds = ds.map(self._load, num_parallel_calls=AUTOTUNE)
        return ds.batch(self.cfg.batch_size)

    def train(self):
        return self._build("train", True)

    def val(self):
        return self._build("val", False)


def main():
    dm = LeafDataModule(DataConfig())
    backbone = tf.keras.applications.EfficientNetB0(include_top=False, pooling="avg")
    model = tf.keras.Sequential([backbone, layers.Dropout(0.3), layers.Dense(len(dm.classes))])
    model.compile(
        optimizer=tf.keras.optimizers.Adam(3e-4),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    model.fit(dm.train(), validation_data=dm.val(), epochs=12)


if __name__ == "__main__":
    main()
