"""Embeds the catalogue in N slices, one JSON per slice, so that a crashed slice can be redone."""
import json
import logging
import pathlib

import numpy as np
import tensorflow as tf

log = logging.getLogger("embed")
SLICES = 8
OUT = pathlib.Path("embeddings")


def catalogue():
    records = [json.loads(l) for l in pathlib.Path("catalogue.jsonl").read_text().splitlines()]
    ids = np.array([r["sku"] for r in records])
    files = np.array([r["image"] for r in records])
    return tf.data.Dataset.from_tensor_slices((ids, files))


def picture(sku, path):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    img = tf.image.resize_with_pad(img, 224, 224)
    return sku, tf.keras.applications.resnet_v2.preprocess_input(img)


class SliceJob:
    def __init__(self, number, total):
        self.number = number
        self.total = total

    @property
    def target(self):
        return OUT / f"slice_{self.number:02d}_of_{self.total:02d}.npz"

    def data(self):
        part = catalogue().shard(self.total, self.number)
        part = part.map(picture, num_parallel_calls=tf.data.AUTOTUNE)
        return part.batch(64).prefetch(tf.data.AUTOTUNE)

    def run(self, model):
        skus, vectors = [], []
        for sku, img in self.data():
            skus.append(sku)
            vectors.append(model(img, training=False))
        np.savez(self.target,
                 sku=tf.concat(skus, 0).numpy(), vec=tf.concat(vectors, 0).numpy())


def jobs():
    for number in range(1, SLICES + 1):
        yield SliceJob(number, SLICES)


def main():
    logging.basicConfig(level=logging.INFO)
    OUT.mkdir(exist_ok=True)
    body = tf.keras.applications.ResNet50V2(include_top=False, pooling="avg")
    forward = tf.function(body)
    for job in jobs():
        if job.target.exists():
            log.info("skip %s", job.target)
            continue
        job.run(forward)
        log.info("wrote %s", job.target)


if __name__ == "__main__":
    main()
