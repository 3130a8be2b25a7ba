import argparse

import tensorflow as tf
import tensorflow_datasets as tfds

AUTOTUNE = tf.data.AUTOTUNE


class Flowers:
    def __init__(self, args):
        self.args = args
        self.raw = tfds.load(
            "tf_flowers", split={"train": "train[:90%]", "valid": "train[90%:]"},
            decoders={"image": tfds.decode.SkipDecoding()})

    def decode(self, row):
        image = tf.io.decode_jpeg(row["image"], channels=3)
        size = self.args.size
        return tf.image.resize(image, [size, size]) / 255.0, row["label"]

    def prepared(self, split, images=0):
        ds = self.raw[split]
        if images:
            ds = ds.take(images)
        return ds.map(self.decode, num_parallel_calls=AUTOTUNE).cache()

    def train(self):
        ds = self.prepared("train", self.args.train_images)
        ds = ds.shuffle(1_000).batch(self.args.batch_size)
        return ds.prefetch(AUTOTUNE)

    def valid(self):
        return self.prepared("valid").batch(self.args.batch_size).prefetch(AUTOTUNE)


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--size", type=int, default=192)
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--train-images", type=int, default=1500)
    p.add_argument("--epochs", type=int, default=30)
    return p.parse_args()


def main():
    args = parse_args()
    data = Flowers(args)
    model = tf.keras.applications.MobileNetV2(
        input_shape=(args.size, args.size, 3), weights=None, classes=5)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(data.train(), validation_data=data.valid(), epochs=args.epochs)


if __name__ == "__main__":
    main()
