from dataclasses import dataclass, field

import tensorflow as tf
import tensorflow_datasets as tfds


@dataclass
class Buffers:
    shuffle: int = 50_000
    prefetch: int = 2


@dataclass
class Config:
    batch_size: int = 512
    buffers: Buffers = field(default_factory=Buffers)
    epochs: int = 90


def augment(image, label):
    image = tf.image.resize_with_crop_or_pad(image, 40, 40)
    image = tf.image.random_crop(image, [32, 32, 3])
    return tf.cast(tf.image.random_flip_left_right(image), tf.float32) / 255.0, label


def buffered(ds, kind, buffers):
    size = getattr(buffers, kind)
    match kind:
        case "shuffle":
            return ds.shuffle(size)
        case "prefetch":
            return ds.prefetch(size)
    raise ValueError(kind)


def pipeline(cfg):
    ds = tfds.load("cifar100", split="train", as_supervised=True, shuffle_files=True).cache()
    ds = buffered(ds, "shuffle", cfg.buffers)
    ds = ds.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(cfg.batch_size)
    return buffered(ds, "prefetch", cfg.buffers)


if __name__ == "__main__":
    cfg = Config()
    model = tf.keras.applications.ResNet50V2(weights=None, input_shape=(32, 32, 3), classes=100)
    model.compile(tf.keras.optimizers.SGD(0.1, momentum=0.9), "sparse_categorical_crossentropy")
    model.fit(pipeline(cfg), epochs=cfg.epochs)
