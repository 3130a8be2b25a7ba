import dataclasses

import tensorflow as tf


@dataclasses.dataclass
class InputConfig:
    pattern: str
    batch_size: int = 64
    shuffle_buffer: int = 20000
    prefetch_batches: int = 0
    max_len: int = 256


def _fields(line):
    label, text = tf.io.decode_csv(line, record_defaults=[0, ""], field_delim="\t", use_quote_delim=False)
    return text, label


def make_dataset(cfg, vectorizer, training):
    ds = tf.data.Dataset.list_files(cfg.pattern, shuffle=training)
    ds = ds.interleave(tf.data.TextLineDataset, cycle_length=8,
                       num_parallel_calls=tf.data.AUTOTUNE, deterministic=not training)
    if training:
        ds = ds.shuffle(cfg.shuffle_buffer)
    ds = ds.batch(cfg.batch_size)
    ds = ds.map(_fields, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(lambda text, label: (vectorizer(text), label), num_parallel_calls=tf.data.AUTOTUNE)
    if cfg.prefetch_batches > 0:
        ds = ds.prefetch(cfg.prefetch_batches)
    return ds
