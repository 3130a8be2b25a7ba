import dataclasses

import tensorflow as tf


@dataclasses.dataclass(frozen=True)
class Config:
    root: str = "/data/food101/train"
    size: int = 224
    batch: int = 64
    buffer: int = 200
    epochs: int = 40


def load_train(cfg):
    ds = tf.keras.utils.image_dataset_from_directory(
        cfg.root,
        image_size=(cfg.size, cfg.size),
        batch_size=cfg.batch,
        shuffle=False,
        label_mode="int",
    )
    ds = ds.shuffle(cfg.buffer)
    return ds.prefetch(tf.data.AUTOTUNE)


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = tf.keras.applications.EfficientNetB0(weights=None, classes=101)
        self.model.compile(
            optimizer=tf.keras.optimizers.Adam(1e-3),
            loss="sparse_categorical_crossentropy",
            metrics=["accuracy"],
        )

    def run(self):
        return self.model.fit(load_train(self.cfg), epochs=self.cfg.epochs)


if __name__ == "__main__":
    Trainer(Config()).run()
