"""Hand-made data parallelism for an image classifier."""
import argparse

import tensorflow as tf


class TowerTrainer:
    def __init__(self, build, gpus):
        self.devices = [f"/GPU:{i}" for i in range(gpus)]
        self.replicas = []
        for device in self.devices:
            with tf.device(device):
                self.replicas.append(build())
        for other in self.replicas[1:]:
            other.set_weights(self.replicas[0].get_weights())
        self.optimizers = [tf.keras.optimizers.SGD(0.1, momentum=0.9) for _ in self.devices]
        self.steps = [self._compile(m) for m in self.replicas]

    @staticmethod
    def _compile(model):
        @tf.function
        def gradients(x, y):
            with tf.GradientTape() as tape:
                ce = tf.keras.losses.sparse_categorical_crossentropy(y, model(x, training=True), from_logits=True)
                loss = tf.reduce_mean(ce)
            return tape.gradient(loss, model.trainable_variables)

        return gradients

    def train_batch(self, images, labels):
        n = len(self.devices)
        xs, ys = tf.split(images, n), tf.split(labels, n)
        collected = []
        for device, step, x, y in zip(self.devices, self.steps, xs, ys):
            with tf.device(device):
                collected.append(step(x, y))
        mean = [tf.add_n(list(g)) / n for g in zip(*collected)]
        for device, model, opt in zip(self.devices, self.replicas, self.optimizers):
            with tf.device(device):
                opt.apply_gradients(zip(mean, model.trainable_variables))


def data(pattern, batch):
    def parse(raw):
        ex = tf.io.parse_single_example(raw, {"jpeg": tf.io.FixedLenFeature([], tf.string),
                                              "label": tf.io.FixedLenFeature([], tf.int64)})
        return tf.image.resize(tf.io.decode_jpeg(ex["jpeg"], channels=3), [224, 224]) / 127.5 - 1.0, ex["label"]

    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(8192).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--gpus", type=int, default=4)
    ap.add_argument("--epochs", type=int, default=30)
    args = ap.parse_args()
    trainer = TowerTrainer(
        lambda: tf.keras.applications.ResNet50V2(weights=None, classifier_activation=None), args.gpus)
    train = data("/data/imagenet/train-*", 128 * args.gpus)
    for epoch in range(args.epochs):
        for images, labels in train:
            trainer.train_batch(images, labels)
        print("epoch", epoch, "done")
        trainer.replicas[0].save(f"/ckpt/towers-{epoch}.keras")
