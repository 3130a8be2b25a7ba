import functools
import json

import numpy as np
import tensorflow as tf

THRESHOLD = 0.4


def mask_iou(pred, truth):
    inter = np.logical_and(pred, truth).sum()
    union = np.logical_or(pred, truth).sum()
    return inter / union if union else 1.0


def score_sample(model, sample):
    image, truth = sample
    prediction = model.predict_on_batch(image[np.newaxis])
    return float(mask_iou(prediction[0, ..., 0] > THRESHOLD, truth[..., 0] > 0))


def parse(record):
    ex = tf.io.parse_single_example(record, {
        "slice": tf.io.FixedLenFeature([], tf.string),
        "mask": tf.io.FixedLenFeature([], tf.string),
    })
    image = tf.reshape(tf.io.decode_raw(ex["slice"], tf.float32), [256, 256, 1])
    mask = tf.reshape(tf.io.decode_raw(ex["mask"], tf.uint8), [256, 256, 1])
    return image, mask


def validation(batch_size=16):
    files = tf.io.gfile.glob("/data/lits/val-*.tfrecord")
    ds = tf.data.TFRecordDataset(files, num_parallel_reads=4)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).batch(batch_size)


def main():
    model = tf.keras.models.load_model("unet_liver.h5", compile=False)
    samples = validation().unbatch().as_numpy_iterator()
    scores = list(map(functools.partial(score_sample, model), samples))
    report = {"iou": float(np.mean(scores)), "worst": float(np.min(scores)), "n": len(scores)}
    with open("report.json", "w") as f:
        json.dump(report, f, indent=2)


if __name__ == "__main__":
    main()
