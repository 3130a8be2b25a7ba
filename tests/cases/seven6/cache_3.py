import dataclasses

import tensorflow as tf
import tensorflow_datasets as tfds


@dataclasses.dataclass
class Config:
    dataset: str = "oxford_flowers102"
    image_size: int = 192
    batch_size: int = 32
    epochs: int = 100
    learning_rate: float = 0.01


class Augment:
    def __init__(self, size):
        self.size = size

    def __call__(self, image, label):
        image = tf.image.resize(image, (self.size + 32, self.size + 32))
        image = tf.image.random_crop(image, (self.size, self.size, 3))
        image = tf.image.random_flip_left_right(image)
        image = tf.image.random_contrast(image, 0.7, 1.3)
        return tf.clip_by_value(image / 255.0, 0.0, 1.0), label


def build_train(cfg):
    ds = tfds.load(cfg.dataset, split="train+validation", as_supervised=True)
    ds = ds.map(Augment(cfg.image_size), num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.cache()
    ds = ds.shuffle(2040)
    return ds.batch(cfg.batch_size).prefetch(tf.data.AUTOTUNE)


def build_test(cfg):
    def center(image, label):
        return tf.image.resize(image, (cfg.image_size, cfg.image_size)) / 255.0, label

    ds = tfds.load(cfg.dataset, split="test", as_supervised=True)
    ds = ds.map(center, num_parallel_calls=tf.data.AUTOTUNE).batch(cfg.batch_size).cache()
    return ds.prefetch(tf.data.AUTOTUNE)


def main(cfg=Config()):
    base = tf.keras.applications.ResNet50V2(
        include_top=False, weights=None, pooling="avg",
        input_shape=(cfg.image_size, cfg.image_size, 3))
    model = tf.keras.Model(base.input, tf.keras.layers.Dense(102)(base.output))
    schedule = tf.keras.optimizers.schedules.CosineDecay(cfg.learning_rate, cfg.epochs * 63)
    model.compile(
        tf.keras.optimizers.SGD(schedule, momentum=0.9, nesterov=True),
        tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"])
    model.fit(build_train(cfg), validation_data=build_test(cfg), epochs=cfg.epochs)


if __name__ == "__main__":
    main()
