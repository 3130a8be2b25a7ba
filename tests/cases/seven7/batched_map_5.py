"""Fine-tune a Keras encoder on QQP+MNLI arrays tokenised offline to length 128 (750k pairs)."""
import logging

import numpy as np
import tensorflow as tf

log = logging.getLogger("pairs")
PAD, SEP, LEN = 0, 102, 128


class ArraySource:
    path: str

    def source(self):
        z = np.load(self.path)
        log.info("%d pairs from %s", len(z["label"]), self.path)
        return tf.data.Dataset.from_tensor_slices((z["ids"], z["label"]))


class PairFeatures:
    """ids -> dict of model inputs."""

    def featurize(self, ids, label):
        ids = tf.cast(ids, tf.int32)
        mask = tf.cast(tf.not_equal(ids, PAD), tf.int32)
        seen = tf.cumsum(tf.cast(tf.equal(ids, SEP), tf.int32), axis=-1, exclusive=True)
        return ({"ids": ids, "mask": mask, "segment": tf.minimum(seen, 1) * mask},
                tf.cast(label, tf.float32))


class TrainInput(ArraySource, PairFeatures):
    def __init__(self, path, batch_size):
        self.path, self.batch_size = path, batch_size

    @property
    def dataset(self):
        ds = self.source().shuffle(750_000)
        stages = (
            ("features", lambda d: d.map(self.featurize, num_parallel_calls=tf.data.AUTOTUNE)),
            ("batches", lambda d: d.batch(self.batch_size, drop_remainder=True)),
            ("overlap", lambda d: d.prefetch(tf.data.AUTOTUNE)),
        )
        for name, stage in stages:
            ds = stage(ds)
            log.debug("%s: %s", name, ds.element_spec)
        return ds


class Encoder(tf.keras.Model):
    def __init__(self, vocab=30522, width=256, depth=4):
        super().__init__()
        self.tok = tf.keras.layers.Embedding(vocab, width)
        self.seg = tf.keras.layers.Embedding(2, width)
        self.att = [tf.keras.layers.MultiHeadAttention(4, width // 4) for _ in range(depth)]
        self.ffn = [tf.keras.Sequential([tf.keras.layers.Dense(4 * width, "gelu"),
                                         tf.keras.layers.Dense(width)]) for _ in range(depth)]
        self.norm = [tf.keras.layers.LayerNormalization() for _ in range(2 * depth)]
        self.head = tf.keras.layers.Dense(1)

    def call(self, x, training=False):
        h = self.tok(x["ids"]) + self.seg(x["segment"])
        m = tf.cast(x["mask"][:, None, :], tf.bool)
        for i, (att, ffn) in enumerate(zip(self.att, self.ffn)):
            h = self.norm[2 * i](h + att(h, h, attention_mask=m, training=training))
            h = self.norm[2 * i + 1](h + ffn(h))
        return self.head(h[:, 0])


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    model = Encoder()
    model.compile(tf.keras.optimizers.AdamW(1e-4),
                  tf.keras.losses.BinaryCrossentropy(from_logits=True), metrics=["accuracy"])
    model.fit(TrainInput("/data/pairs/train_128.npz", 256).dataset, epochs=5)
    model.save_weights("encoder.weights.h5")
