import argparse

import tensorflow as tf
from tensorflow.keras.applications import MobileNetV3Large


class Loader:
    def __init__(self, root, size, batch_size):
        self.root, self.size, self.batch_size = root, size, batch_size

    def raw(self, split):
        return tf.keras.utils.image_dataset_from_directory(
            f"{self.root}/{split}", image_size=(self.size, self.size),
            batch_size=self.batch_size, shuffle=split == "train")

    def normalize(self, images, labels):
        images = tf.cast(images, tf.float32)
        return images / 255.0 * 2.0 - 1.0, labels

    def get(self, split):
        ds = self.raw(split)
        ds = ds.map(self.normalize, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


def build_model(size, classes):
    backbone = MobileNetV3Large(
        input_shape=(size, size, 3), include_top=False, pooling="avg",
        weights="imagenet", include_preprocessing=False)
    backbone.trainable = False
    x = tf.keras.layers.Dropout(0.2)(backbone.output)
    return tf.keras.Model(backbone.input, tf.keras.layers.Dense(classes)(x))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("root")
    ap.add_argument("--size", type=int, default=224)
    ap.add_argument("--classes", type=int, default=37)
    args = ap.parse_args()
    data = Loader(args.root, args.size, 32)
    model = build_model(args.size, args.classes)
    model.compile(
        tf.keras.optimizers.Adam(1e-3), metrics=["accuracy"],
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(data.get("train"), validation_data=data.get("val"), epochs=10)


if __name__ == "__main__":
    main()
