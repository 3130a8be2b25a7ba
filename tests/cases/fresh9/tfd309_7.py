"""ImageNet training with Horovod."""
import argparse
import os

import horovod.tensorflow.keras as hvd
import tensorflow as tf


class Trainer:
    def __init__(self, args):
        self.args = args
        hvd.init()
        gpus = tf.config.list_physical_devices("GPU")
        if gpus:
            tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")

    def parse(self, record):
        ex = tf.io.parse_single_example(record, {
            "image/encoded": tf.io.FixedLenFeature([], tf.string),
            "image/class/label": tf.io.FixedLenFeature([], tf.int64),
        })
        image = tf.io.decode_jpeg(ex["image/encoded"], channels=3)
        image = tf.image.resize(image, [224, 224]) / 255.0
        return image, ex["image/class/label"] - 1

    def my_share(self, ds):
        return ds.shard(hvd.size(), hvd.rank())

    def dataset(self):
        pattern = os.path.join(self.args.data, "train-*-of-01024")
        ds = tf.data.Dataset.list_files(pattern, shuffle=False)
        ds = ds.interleave(
            tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
        ds = self.my_share(ds)
        ds = ds.shuffle(10_000).repeat()
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.args.batch_size).prefetch(tf.data.AUTOTUNE)

    def run(self):
        model = tf.keras.applications.ResNet50(weights=None)
        opt = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1 * hvd.size(), 0.9))
        model.compile(opt, "sparse_categorical_crossentropy", metrics=["accuracy"])
        model.fit(
            self.dataset(),
            steps_per_epoch=1_281_167 // (self.args.batch_size * hvd.size()),
            epochs=90,
            callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0)],
            verbose=int(hvd.rank() == 0))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default="/imagenet/tfrecords")
    parser.add_argument("--batch_size", type=int, default=256)
    Trainer(parser.parse_args()).run()
