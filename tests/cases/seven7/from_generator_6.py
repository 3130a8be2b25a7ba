"""EN-DE translation on WMT19 (~38M pairs), Transformer-base."""
import argparse

import tensorflow as tf
from tensorflow import py_function as host_call
from transformers import AutoTokenizer

from nmt.model import Transformer
from nmt.schedule import NoamSchedule


class HostTokenizer:
    """Wraps the fast tokenizer so that it can be used as a map function."""

    def __init__(self, name, max_len):
        self.tok = AutoTokenizer.from_pretrained(name)
        self.max_len = max_len

    def _encode(self, src, tgt):
        src_ids = self.tok(src.numpy().decode("utf-8"), truncation=True,
                           max_length=self.max_len)["input_ids"]
        tgt_ids = self.tok(tgt.numpy().decode("utf-8"), truncation=True,
                           max_length=self.max_len)["input_ids"]
        return src_ids, tgt_ids

    def __call__(self, src, tgt):
        src_ids, tgt_ids = host_call(self._encode, (src, tgt), (tf.int32, tf.int32))
        src_ids.set_shape([None])
        tgt_ids.set_shape([None])
        return src_ids, tgt_ids


def pairs(prefix, langs=("en", "de")):
    return tf.data.Dataset.zip(tuple(
        tf.data.TextLineDataset(f"{prefix}.{lang}", buffer_size=16 << 20) for lang in langs))


def teacher_forcing(src, tgt):
    return (src, tgt[:, :-1]), tgt[:, 1:]


def build(args):
    encode = HostTokenizer(args.tokenizer, args.max_len)
    ds = pairs(args.prefix).shuffle(500_000)
    ds = ds.map(encode, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.bucket_by_sequence_length(
        lambda s, t: tf.maximum(tf.size(s), tf.size(t)),
        bucket_boundaries=[16, 32, 64, 96],
        bucket_batch_sizes=[512, 256, 128, 84, 64],
        drop_remainder=True)
    ds = ds.map(teacher_forcing, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def parse_args():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--prefix", default="/corpora/wmt19/train")
    ap.add_argument("--tokenizer", default="Helsinki-NLP/opus-mt-en-de")
    ap.add_argument("--max_len", type=int, default=128)
    ap.add_argument("--epochs", type=int, default=10)
    return ap.parse_args()


def main():
    args = parse_args()
    model = Transformer(layers=6, width=512, heads=8, vocab=58101)
    model.compile(
        optimizer=tf.keras.optimizers.Adam(NoamSchedule(512, 4000), beta_2=0.98),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, ignore_class=58100))
    model.fit(build(args), epochs=args.epochs)
    model.save_weights("wmt.weights.h5")


if __name__ == "__main__":
    main()
