import argparse

import tensorflow as tf

READERS = {
    "tfrecord": tf.data.TFRecordDataset,
    "text": tf.data.TextLineDataset,
}


class DataModule:
    def __init__(self, args):
        self.args = args
        self.reader = READERS[args.format]

    def files(self, split):
        pattern = f"{self.args.root}/{split}/*.{self.args.format}"
        return tf.data.Dataset.list_files(pattern, shuffle=split == "train")

    def records(self, split):
        files = self.files(split)
        return files.flat_map(self.reader)

    def decode(self, record):
        row = tf.io.parse_single_example(record, {
            "image": tf.io.FixedLenFeature([], tf.string),
            "label": tf.io.FixedLenFeature([], tf.int64),
        })
        image = tf.io.decode_jpeg(row["image"], channels=3)
        image = tf.image.resize(image, [self.args.size, self.args.size])
        return image / 255.0, row["label"]

    def dataset(self, split):
        ds = self.records(split)
        if split == "train":
            ds = ds.shuffle(self.args.shuffle)
        ds = ds.map(self.decode, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(self.args.batch_size, drop_remainder=split == "train")
        return ds.prefetch(tf.data.AUTOTUNE)


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--root", default="gs://bucket/imagenet")
    p.add_argument("--format", choices=sorted(READERS), default="tfrecord")
    p.add_argument("--size", type=int, default=224)
    p.add_argument("--shuffle", type=int, default=16384)
    p.add_argument("--batch-size", type=int, default=256)
    return p.parse_args()


def main():
    data = DataModule(parse_args())
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = tf.keras.applications.ResNet50(weights=None)
        model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(data.dataset("train"), validation_data=data.dataset("validation"), epochs=90)


if __name__ == "__main__":
    main()
