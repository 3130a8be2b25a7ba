import os

import tensorflow as tf
from absl import app, flags

FLAGS = flags.FLAGS
flags.DEFINE_string("data_dir", "/data/birds", "Root with train/ and val/.")
flags.DEFINE_string("cache_dir", "/scratch/cache", "Local disk.")
flags.DEFINE_integer("batch_size", 64, "Batch size.")

SPEC = {
    "image": tf.io.FixedLenFeature([], tf.string),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def parse(record):
    ex = tf.io.parse_single_example(record, SPEC)
    image = tf.io.decode_jpeg(ex["image"], channels=3)
    image = tf.cast(tf.image.resize(image, (192, 192)), tf.uint8)
    return image, ex["label"]


def main(_):
    cache_file = os.path.join(FLAGS.cache_dir, "birds")
    datasets = {}
    for split in ("train", "val"):
        files = tf.io.gfile.glob(os.path.join(FLAGS.data_dir, split, "*.tfrecord"))
        ds = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
        ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.cache(cache_file)
        if split == "train":
            ds = ds.shuffle(10_000)
        datasets[split] = ds.batch(FLAGS.batch_size).prefetch(tf.data.AUTOTUNE)

    model = tf.keras.applications.EfficientNetB0(
        weights=None, classes=200, input_shape=(192, 192, 3))
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(datasets["train"], validation_data=datasets["val"], epochs=30)


if __name__ == "__main__":
    app.run(main)
