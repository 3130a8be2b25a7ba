"""Train on a tarball of record files fetched from a bucket; unpacked to local scratch first."""
import os
import tarfile
import tempfile

import tensorflow as tf

ARCHIVE = "gs://asr-corpora/phones-v3.tar"


def parse(raw):
    ctx, seq = tf.io.parse_single_sequence_example(
        raw,
        context_features={"speaker": tf.io.FixedLenFeature([], tf.int64)},
        sequence_features={"frames": tf.io.FixedLenSequenceFeature([40], tf.float32)})
    return seq["frames"][:800], ctx["speaker"]


def open_corpus(batch):
    with tempfile.TemporaryDirectory(prefix="phones-") as scratch:
        local = os.path.join(scratch, "corpus.tar")
        tf.io.gfile.copy(ARCHIVE, local)
        with tarfile.open(local) as tar:
            tar.extractall(scratch, filter="data")
        files = tf.io.gfile.glob(os.path.join(scratch, "*.tfrecord"))
        ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files))
        ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8,
                           num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
        ds = ds.shuffle(4000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.padded_batch(batch, padded_shapes=([800, 40], []), drop_remainder=True)
        return ds.prefetch(tf.data.AUTOTUNE)


class SpeakerNet(tf.keras.Model):
    def __init__(self, speakers):
        super().__init__()
        self.tdnn = [tf.keras.layers.Conv1D(512, k, dilation_rate=d, activation="relu")
                     for k, d in ((5, 1), (3, 2), (3, 3))]
        self.pool = tf.keras.layers.GlobalAveragePooling1D()
        self.out = tf.keras.layers.Dense(speakers)

    def call(self, x):
        for layer in self.tdnn:
            x = layer(x)
        return self.out(self.pool(x))


def main():
    corpus = open_corpus(64)
    net = SpeakerNet(1251)
    net.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    net.fit(corpus, epochs=12)


if __name__ == "__main__":
    main()
