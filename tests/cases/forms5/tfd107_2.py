import dataclasses
import glob

import tensorflow as tf


@dataclasses.dataclass
class DataConfig:
    pattern: str = "/data/librispeech/train-*.tfrecord"
    buffer: int = 2000
    batch: int = 32


FEATURES = {
    "mel": tf.io.VarLenFeature(tf.float32),
    "text": tf.io.VarLenFeature(tf.int64),
}


def parse(record):
    ex = tf.io.parse_single_example(record, FEATURES)
    mel = tf.reshape(tf.sparse.to_dense(ex["mel"]), (-1, 80))
    return mel, tf.sparse.to_dense(ex["text"])


class SpeechInput:
    def __init__(self, cfg: DataConfig):
        self.cfg = cfg

    def __call__(self):
        cfg = self.cfg
        files = tf.data.Dataset.from_tensor_slices(sorted(glob.glob(cfg.pattern)))
        return (
            files.shuffle(1024)
            .interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
            .shuffle(cfg.buffer)
            .map(parse, num_parallel_calls=tf.data.AUTOTUNE)
            .padded_batch(cfg.batch, padded_shapes=([None, 80], [None]))
            .prefetch(buffer_size=cfg.buffer)
        )


def train(step, epochs=20):
    for epoch in range(epochs):
        for mel, text in SpeechInput(DataConfig())():
            loss = step(mel, text)
        print(epoch, float(loss))
