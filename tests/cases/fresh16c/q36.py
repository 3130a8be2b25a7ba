import argparse
import pathlib

import tensorflow as tf


class RetailClassifier:
    def __init__(self, args):
        self.args = args
        options = tf.distribute.experimental.CommunicationOptions(
            implementation=tf.distribute.experimental.CommunicationImplementation.NCCL)
        self.strategy = tf.distribute.MultiWorkerMirroredStrategy(communication_options=options)
        root = pathlib.Path(args.images)
        self.classes = sorted(p.name for p in root.iterdir() if p.is_dir())
        self.paths, self.labels = [], []
        for i, name in enumerate(self.classes):
            for p in sorted((root / name).glob("*.jpg")):
                self.paths.append(str(p))
                self.labels.append(i)

    def _load(self, path, label):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        image = tf.image.resize(image, [300, 300])
        image = tf.image.random_crop(image, [256, 256, 3])
        image = tf.image.random_flip_left_right(image)
        image = tf.image.random_brightness(image, 20.0)
        return tf.clip_by_value(image, 0.0, 255.0), label

    def train_data(self):
        batch = self.args.per_replica_batch * self.strategy.num_replicas_in_sync
        ds = tf.data.Dataset.from_tensor_slices((self.paths, self.labels))
        ds = ds.shuffle(len(self.paths), seed=1234)
        ds = ds.map(self._load, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

    def fit(self):
        with self.strategy.scope():
            model = tf.keras.applications.ResNet50V2(
                weights=None, input_shape=(256, 256, 3), classes=len(self.classes))
            model.compile(
                optimizer=tf.keras.optimizers.SGD(self.args.lr, momentum=0.9, nesterov=True),
                loss="sparse_categorical_crossentropy",
                metrics=["accuracy"],
            )
        model.fit(self.train_data(), epochs=self.args.epochs)
        return model


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--images", default="/mnt/retail/train")
    parser.add_argument("--per-replica-batch", type=int, default=48)
    parser.add_argument("--lr", type=float, default=0.4)
    parser.add_argument("--epochs", type=int, default=90)
    RetailClassifier(parser.parse_args()).fit().save("/mnt/models/retail.keras")
