import dataclasses

import horovod.tensorflow.keras as hvd
import tensorflow as tf


@dataclasses.dataclass
class Worker:
    index: int
    count: int
    seed: int = 2024


class DistributedReader:
    def __init__(self, root, worker, batch_size=128):
        self.root = root
        self.worker = worker
        self.batch_size = batch_size

    def files(self, split):
        names = sorted(tf.io.gfile.glob(f"{self.root}/{split}-*.tfrecord"))
        files = tf.data.Dataset.from_tensor_slices(names)
        return files.shuffle(
            len(names), seed=self.worker.seed, reshuffle_each_iteration=False)

    def my_files(self, split):
        files = self.files(split)
        return files.shard(self.worker.count, self.worker.index)

    @staticmethod
    def parse(record):
        row = tf.io.parse_single_example(record, {
            "image": tf.io.FixedLenFeature([], tf.string),
            "label": tf.io.FixedLenFeature([], tf.int64),
        })
        image = tf.io.decode_jpeg(row["image"], channels=3)
        image = tf.image.resize(image, [224, 224])
        return tf.image.random_flip_left_right(image) / 255.0, row["label"]

    def train(self):
        ds = self.my_files("train").interleave(
            tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(10_000).repeat()
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    reader = DistributedReader("/lustre/imagenet", Worker(hvd.rank(), hvd.size()))
    model = tf.keras.applications.ResNet50(weights=None)
    optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1 * hvd.size()))
    model.compile(optimizer, "sparse_categorical_crossentropy")
    model.fit(
        reader.train(),
        steps_per_epoch=1_281_167 // (128 * hvd.size()),
        epochs=90,
        callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0)],
        verbose=int(hvd.rank() == 0),
    )


if __name__ == "__main__":
    main()
