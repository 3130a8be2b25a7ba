import glob

import tensorflow as tf

AUTO = tf.data.AUTOTUNE
VOCAB = 32_000


def tokens_of(record):
    parsed = tf.io.parse_single_example(
        record,
        {
            "ids": tf.io.FixedLenFeature([257], tf.int64),
        },
    )
    ids = parsed["ids"]
    return ids[:-1], ids[1:]


def open_shard(path):
    return tf.data.TFRecordDataset(path, compression_type="ZLIB", buffer_size=4 << 20)


def corpus(pattern, batch_size):
    files = glob.glob(pattern)
    ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files))
    ds = ds.interleave(open_shard, cycle_length=16, num_parallel_calls=AUTO, deterministic=False)
    ds = ds.shuffle(50_000)
    ds = ds.map(tokens_of, num_parallel_calls=AUTO)
    return ds.batch(batch_size, drop_remainder=True).prefetch(AUTO)


def build_lm(dim=512):
    ids = tf.keras.Input((256,), dtype="int64")
    x = tf.keras.layers.Embedding(VOCAB, dim)(ids)
    for _ in range(4):
        a = tf.keras.layers.MultiHeadAttention(8, dim // 8)(x, x, use_causal_mask=True)
        x = tf.keras.layers.LayerNormalization()(x + a)
        h = tf.keras.layers.Dense(4 * dim, activation="gelu")(x)
        x = tf.keras.layers.LayerNormalization()(x + tf.keras.layers.Dense(dim)(h))
    return tf.keras.Model(ids, tf.keras.layers.Dense(VOCAB)(x))


def main():
    model = build_lm()
    model.compile(
        optimizer=tf.keras.optimizers.AdamW(3e-4),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    )
    model.fit(corpus("/data/lm/shard-*.tfrecord.z", 64), epochs=3)


if __name__ == "__main__":
    main()
