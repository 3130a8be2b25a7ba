import collections
import logging

import numpy as np
import tensorflow as tf
import tensorflow_datasets as tfds

log = logging.getLogger(__name__)
SCALES = (224, 160, 112)


def make_eval_batches(split, batch_size):
    def prepare(example):
        views = []
        for scale in SCALES:
            view = tf.image.resize(example["image"], [scale, scale])
            view = tf.image.resize_with_crop_or_pad(view, 224, 224)
            views.append(view / 127.5 - 1.0)
        return {
            "views": tf.stack(views),
            "label": example["label"],
            "file_name": example["file_name"],
        }

    ds = tfds.load("oxford_iiit_pet", split=split)
    ds = ds.map(prepare, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    logging.basicConfig(level=logging.INFO)
    model = tf.keras.models.load_model("/models/pets.keras")
    stats = collections.Counter()
    errors = []
    for batch in make_eval_batches("test", 64):
        shape = tf.shape(batch["views"])
        images = tf.reshape(batch["views"], [-1, 224, 224, 3])
        scores = model(images, training=False)
        scores = tf.reduce_mean(tf.reshape(scores, [shape[0], shape[1], -1]), axis=1)
        wrong = np.argmax(scores, axis=-1) != batch["label"].numpy()
        errors.append(batch["file_name"].numpy()[wrong])
        stats["seen"] += len(wrong)
        stats["wrong"] += int(wrong.sum())
        log.info("%d of %d wrong", stats["wrong"], stats["seen"])
    np.savetxt("errors.txt", np.concatenate(errors).astype(str), fmt="%s")


if __name__ == "__main__":
    main()
