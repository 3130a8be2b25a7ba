"""Flowers: Task object with a list of stages."""
import dataclasses
import pathlib

import tensorflow as tf


@dataclasses.dataclass
class FlowersConfig:
    root: str = "/data/flowers102"
    image_size: int = 224
    batch_size: int = 64
    epochs: int = 100


class FlowersTask:
    def __init__(self, cfg):
        self.cfg = cfg
        files = sorted(pathlib.Path(cfg.root).rglob("*.jpg"))
        self.paths = [str(f) for f in files]
        self.names = sorted({f.parent.name for f in files})
        self.labels = [self.names.index(f.parent.name) for f in files]

    def read(self, path, label):
        return tf.io.read_file(path), label

    def decode_and_fit(self, data, label):
        image = tf.io.decode_jpeg(data, channels=3, dct_method="INTEGER_ACCURATE")
        image = tf.image.resize_with_pad(image, self.cfg.image_size, self.cfg.image_size, antialias=True)
        return tf.cast(tf.round(image), tf.uint8), label

    def train_data(self):
        par = tf.data.AUTOTUNE
        ds = tf.data.Dataset.from_tensor_slices((self.paths, self.labels))
        ds = ds.map(self.read, num_parallel_calls=par)
        ds = ds.cache()
        ds = ds.shuffle(len(self.paths))
        ds = ds.map(self.decode_and_fit, num_parallel_calls=par)
        return ds.batch(self.cfg.batch_size).prefetch(par)

    def model(self):
        net = tf.keras.Sequential([
            tf.keras.layers.RandomFlip("horizontal"),
            tf.keras.layers.RandomRotation(0.1),
            tf.keras.layers.Rescaling(1 / 127.5, -1.0),
            tf.keras.applications.MobileNetV3Large(include_top=False, weights="imagenet",
                                                   pooling="avg", include_preprocessing=False),
            tf.keras.layers.Dense(len(self.names)),
        ])
        net.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                    metrics=["accuracy"])
        return net


if __name__ == "__main__":
    task = FlowersTask(FlowersConfig())
    task.model().fit(task.train_data(), epochs=task.cfg.epochs)
