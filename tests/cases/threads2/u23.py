import argparse
import os

import tensorflow as tf


def parse_tfr(serialized):
    parsed = tf.io.parse_example(serialized, {
        "image": tf.io.FixedLenFeature([28 * 28], tf.int64),
        "label": tf.io.FixedLenFeature([10], tf.int64),
    })
    image = tf.reshape(tf.cast(parsed["image"], tf.float32) / 255.0, (-1, 28, 28, 1))
    return image, parsed["label"]


def inference(args, task_index, num_workers):
    """Runs once on every executor, each one does its own part of the files."""
    model = tf.keras.models.load_model(args.export_dir)

    file_pattern = os.path.join(args.images_labels, "part-*")
    ds = tf.data.Dataset.list_files(file_pattern)
    ds = ds.shard(num_workers, task_index)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(args.batch_size)
    ds = ds.map(parse_tfr, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.prefetch(tf.data.AUTOTUNE)

    os.makedirs(args.output, exist_ok=True)
    with open(os.path.join(args.output, "part-{:05d}".format(task_index)), "w") as out:
        for images, labels in ds:
            scores = model.predict_on_batch(images)
            for label, score in zip(labels.numpy(), scores):
                out.write("{} {}\n".format(label.argmax(), score.argmax()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch_size", type=int, default=64)
    parser.add_argument("--cluster_size", type=int, default=4)
    parser.add_argument("--task_index", type=int, required=True)
    parser.add_argument("--export_dir", default="mnist_export")
    parser.add_argument("--images_labels", default="mnist/tfr/test")
    parser.add_argument("--output", default="predictions")
    args = parser.parse_args()
    inference(args, args.task_index, args.cluster_size)


if __name__ == "__main__":
    main()
