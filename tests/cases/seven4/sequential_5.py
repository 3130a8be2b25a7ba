import enum

import keras
import tensorflow as tf

SPEC = {"tokens": tf.io.FixedLenFeature([512], tf.int64), "next": tf.io.FixedLenFeature([512], tf.int64)}


class Kind(enum.Enum):
    RECORDS = "records"
    RAW = "raw"


def records(name):
    return tf.data.TFRecordDataset(name, compression_type="ZLIB", buffer_size=16 << 20)


def raw(name):
    return tf.data.FixedLengthRecordDataset(name, 2 * 512 * 8)


READ = (records, 24, 8)
READ_RAW = (raw, 24, 8, tf.data.AUTOTUNE)


def source(kind, pattern):
    names = tf.data.Dataset.list_files(pattern, seed=3)
    match kind:
        case Kind.RECORDS:
            return names.interleave(*READ)
        case Kind.RAW:
            return names.interleave(*READ_RAW)


def unpack(rows):
    ex = tf.io.parse_example(rows, SPEC)
    return ex["tokens"], ex["next"]


def block(x, heads, width):
    y = keras.layers.MultiHeadAttention(heads, width // heads)(x, x, use_causal_mask=True)
    x = keras.layers.LayerNormalization()(x + y)
    y = keras.layers.Dense(width)(keras.layers.Dense(4 * width, activation="gelu")(x))
    return keras.layers.LayerNormalization()(x + y)


keras.mixed_precision.set_global_policy("mixed_bfloat16")
ids = keras.Input((512,), dtype="int32")
x = keras.layers.Embedding(32_000, 768)(ids)
for _ in range(12):
    x = block(x, 12, 768)
gpt = keras.Model(ids, keras.layers.Dense(32_000, dtype="float32")(x))
gpt.compile(keras.optimizers.AdamW(3e-4), keras.losses.SparseCategoricalCrossentropy(from_logits=True))

corpus = source(Kind.RECORDS, "gs://corpora/pile/train-*.tfrecord.z")
corpus = corpus.shuffle(20_000).batch(64, drop_remainder=True)
corpus = corpus.map(unpack, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
gpt.fit(corpus, epochs=3)
