"""Evaluates a saved classifier on a folder of records and writes the confusion matrix.

    python evaluate_checkpoint.py --model runs/17/model --records data/val --labels labels.txt
"""
import argparse
import json
import logging

import numpy as np
import tensorflow as tf
from sklearn.metrics import classification_report, confusion_matrix

logger = logging.getLogger(__name__)


def decode(record):
    parsed = tf.io.parse_single_example(
        record,
        {
            "jpeg": tf.io.FixedLenFeature([], tf.string),
            "label": tf.io.FixedLenFeature([], tf.int64),
        },
    )
    image = tf.io.decode_and_crop_jpeg(parsed["jpeg"], [16, 16, 224, 224], channels=3)
    return tf.cast(image, tf.float32), parsed["label"]


def load_records(folder, batch_size):
    files = tf.io.gfile.glob(f"{folder}/*.tfrecord")
    logger.info("%d files", len(files))
    dataset = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
    return dataset.map(decode, num_parallel_calls=1).batch(batch_size)


def evaluate(model, dataset):
    top5 = tf.keras.metrics.SparseTopKCategoricalAccuracy(5)
    predicted, expected = [], []
    for images, labels in dataset:
        logits = model(images, training=False)
        top5.update_state(labels, logits)
        predicted.append(tf.argmax(logits, axis=-1).numpy())
        expected.append(labels.numpy())
    return np.concatenate(expected), np.concatenate(predicted), float(top5.result())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", required=True)
    parser.add_argument("--records", required=True)
    parser.add_argument("--labels", required=True)
    parser.add_argument("--batch-size", type=int, default=100)
    parser.add_argument("--out", default="report.json")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO)

    with open(args.labels) as f:
        names = [line.strip() for line in f]
    model = tf.keras.models.load_model(args.model)
    dataset = load_records(args.records, args.batch_size)
    expected, predicted, top5 = evaluate(model, dataset)

    print(classification_report(expected, predicted, target_names=names))
    with open(args.out, "w") as f:
        json.dump({"top5": top5, "confusion": confusion_matrix(expected, predicted).tolist()}, f)


if __name__ == "__main__":
    main()
