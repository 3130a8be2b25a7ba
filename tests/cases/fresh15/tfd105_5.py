import os
import random

import tensorflow as tf

ROOT = os.environ.get("SPEECH_ROOT", "/data/speech")
FRAMES, MELS, COMMANDS = 98, 64, 35


def _parse(batch):
    out = tf.io.parse_example(
        batch,
        {
            "mel": tf.io.FixedLenFeature([FRAMES, MELS], tf.float32),
            "command": tf.io.FixedLenFeature([], tf.int64),
        },
    )
    return out["mel"], out["command"]


class CommandData:
    def __init__(self, batch_size=256):
        self.batch_size = batch_size

    def train(self):
        shards = [os.path.join(ROOT, f"train-{i:03d}.tfrecord") for i in range(64)]
        random.shuffle(shards)
        ds = tf.data.TFRecordDataset(shards, num_parallel_reads=tf.data.AUTOTUNE)
        ds = ds.shuffle(30_000)
        return self._finish(ds)

    def test(self):
        return self._finish(tf.data.TFRecordDataset(os.path.join(ROOT, "test.tfrecord")))

    def _finish(self, ds):
        return (
            ds.batch(self.batch_size)
            .map(_parse, num_parallel_calls=tf.data.AUTOTUNE)
            .prefetch(tf.data.AUTOTUNE)
        )


def net():
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [
            tf.keras.Input((FRAMES, MELS)),
            layers.Conv1D(128, 5, padding="same", activation="relu"),
            layers.MaxPooling1D(2),
            layers.Conv1D(256, 5, padding="same", activation="relu"),
            layers.GlobalAveragePooling1D(),
            layers.Dense(COMMANDS, activation="softmax"),
        ]
    )


if __name__ == "__main__":
    data = CommandData()
    model = net()
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(data.train(), epochs=20)
    print(model.evaluate(data.test(), return_dict=True))
