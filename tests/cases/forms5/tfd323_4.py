import dataclasses

import numpy as np
import tensorflow as tf


@dataclasses.dataclass
class DistillConfig:
    unlabeled: str = "/data/unlabeled_500k.npy"
    teacher: str = "/models/teacher.keras"
    threshold: float = 0.9
    batch: int = 256


class Distiller:
    def __init__(self, cfg):
        self.cfg = cfg
        self.teacher = tf.keras.models.load_model(cfg.teacher)

    def soft_labels(self, pool):
        return np.concatenate(
            [self.teacher(row[np.newaxis, ...], training=False).numpy() for row in pool]
        )

    def dataset(self):
        pool = np.load(self.cfg.unlabeled)
        probs = self.soft_labels(pool)
        keep = probs.max(axis=1) > self.cfg.threshold
        ds = tf.data.Dataset.from_tensor_slices((pool[keep], probs[keep]))
        return ds.shuffle(100_000).batch(self.cfg.batch).prefetch(tf.data.AUTOTUNE)


def main():
    distiller = Distiller(DistillConfig())
    student = tf.keras.Sequential([
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(100, activation="softmax"),
    ])
    student.compile("adam", "kl_divergence")
    student.fit(distiller.dataset(), epochs=20)


if __name__ == "__main__":
    main()
