"""Fine-tunes a BERT ranker on MS MARCO pairs. Stages are listed as (name, kwargs)."""
import sys

import tensorflow as tf
import tensorflow_hub as hub
import tensorflow_text as text

AUTO = tf.data.AUTOTUNE
SEQ = 192


class Stages:
    """Each method takes a dataset and returns one."""

    def __init__(self, vocab):
        self.tok = text.BertTokenizer(vocab, lower_case=True)
        self.trim = text.RoundRobinTrimmer(SEQ - 3)
        self.cls, self.sep = 101, 102

    def lines(self, _, path):
        return tf.data.TextLineDataset(path)

    def columns(self, ds):
        def split(line):
            c = tf.strings.split(line, "\t")
            return c[0], c[1], tf.strings.to_number(c[2], tf.int32)
        return ds.map(split, num_parallel_calls=AUTO)

    def cache(self, ds):
        return ds.cache()

    def shuffle(self, ds, n):
        return ds.shuffle(n)

    def wordpiece(self, ds):
        def encode(query, passage, rel):
            segs = [self.tok.tokenize(t[None]).merge_dims(-2, -1) for t in (query, passage)]
            segs = self.trim.trim(segs)
            ids, types = text.combine_segments(segs, self.cls, self.sep)
            ids, mask = text.pad_model_inputs(ids, SEQ)
            types, _ = text.pad_model_inputs(types, SEQ)
            return {"input_word_ids": ids[0], "input_mask": mask[0], "input_type_ids": types[0]}, rel
        return ds.map(encode, num_parallel_calls=AUTO)

    def batch(self, ds, n):
        return ds.batch(n, drop_remainder=True)

    def prefetch(self, ds):
        return ds.prefetch(AUTO)


TRAIN = [
    ("lines", {"path": "/data/msmarco/pairs_400k.tsv"}),
    ("columns", {}),
    ("cache", {}),
    ("shuffle", {"n": 400_000}),
    ("wordpiece", {}),
    ("batch", {"n": 64}),
    ("prefetch", {}),
]


def assemble(stages, recipe):
    ds = None
    for name, kwargs in recipe:
        ds = getattr(stages, name)(ds, **kwargs)
    return ds


def ranker(handle):
    inputs = {k: tf.keras.Input([SEQ], dtype=tf.int32, name=k)
              for k in ("input_word_ids", "input_mask", "input_type_ids")}
    bert = hub.KerasLayer(handle, trainable=True)
    score = tf.keras.layers.Dense(1)(bert(inputs)["pooled_output"])
    return tf.keras.Model(inputs, score)


def main(vocab="vocab.txt", handle="https://tfhub.dev/tensorflow/bert_en_uncased_L-12_H-768_A-12/4"):
    train = assemble(Stages(vocab), TRAIN)
    model = ranker(handle)
    model.compile(tf.keras.optimizers.Adam(2e-5),
                  tf.keras.losses.BinaryCrossentropy(from_logits=True))
    model.fit(train, epochs=6)


if __name__ == "__main__":
    main(*sys.argv[1:])
