import argparse
import contextlib

import numpy as np
import tensorflow as tf

SIDE = 224


def slides(pattern, batch):
    def load(path):
        x = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        x = tf.image.resize(x, (SIDE, SIDE)) / 255.0
        malignant = tf.strings.regex_full_match(path, r".*/malignant/.*")
        return x, tf.cast(malignant, tf.int32)

    ds = tf.data.Dataset.list_files(pattern, shuffle=False)
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


def backbone():
    return tf.keras.applications.EfficientNetB3(
        input_shape=(SIDE, SIDE, 3), weights=None, classes=2)


class Ensemble:
    """Mean of the last checkpoints of one run, with a single network in memory."""

    def __init__(self, folder, last):
        self.net = backbone()
        self.state = tf.train.Checkpoint(net=self.net)
        found = tf.train.get_checkpoint_state(folder).all_model_checkpoint_paths
        self.paths = list(found)[-last:]
        self.forward = tf.function(lambda x: self.net(x, training=False))

    @contextlib.contextmanager
    def member(self, path):
        self.state.restore(path).expect_partial()
        yield self.forward

    def __call__(self, images):
        votes = []
        for path in self.paths:
            with self.member(path) as forward:
                votes.append(forward(images))
        return tf.add_n(votes) / len(votes)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("folder")
    p.add_argument("--images", default="histo/test/*/*.jpg")
    p.add_argument("--last", type=int, default=5)
    a = p.parse_args()

    ensemble = Ensemble(a.folder, a.last)
    auc = tf.keras.metrics.AUC()
    accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
    for images, truth in slides(a.images, 64):
        p_hat = ensemble(images)
        auc.update_state(truth, p_hat[:, 1])
        accuracy.update_state(truth, p_hat)
    print(np.round([auc.result(), accuracy.result()], 4))


if __name__ == "__main__":
    main()
