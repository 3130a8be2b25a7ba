import argparse
import functools

import tensorflow as tf

FEATURES = {
    "image/encoded": tf.io.FixedLenFeature([], tf.string),
    "image/class/label": tf.io.FixedLenFeature([], tf.int64),
}


class ShardReader:
    def __init__(self, pattern, compression="GZIP", streams=16):
        self.pattern = pattern
        self.open_shard = functools.partial(
            tf.data.TFRecordDataset, compression_type=compression, buffer_size=8 << 20)
        self.streams = streams

    def filenames(self):
        return tf.data.Dataset.list_files(self.pattern, shuffle=True)

    def records(self):
        names = self.filenames()
        return names.interleave(
            self.open_shard,
            cycle_length=self.streams,
            block_length=4,
        )

    def parse(self, serialized):
        ex = tf.io.parse_single_example(serialized, FEATURES)
        image = tf.io.decode_jpeg(ex["image/encoded"], channels=3)
        image = tf.image.resize(image, [224, 224]) / 255.0
        return image, ex["image/class/label"]

    def batches(self, batch_size):
        ds = self.records().shuffle(20000)
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--train_pattern", required=True)
    parser.add_argument("--batch_size", type=int, default=256)
    args = parser.parse_args()
    model = tf.keras.applications.ResNet50(weights=None, classes=1000)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(ShardReader(args.train_pattern).batches(args.batch_size), epochs=90)


if __name__ == "__main__":
    main()
