import tensorflow as tf

CONFIG = {
    "data": {
        "train": "gs://corpora/c4/tokenized/train-*.tfrecord",
        "seq_len": 1024,
        "batch_size": 32,
        "shuffle": 16_384,
    },
    "optim": {"lr": 3e-4, "steps": 500_000},
    "model": {"vocab": 32_000, "width": 768, "heads": 12, "layers": 6},
}


def build_input(cfg):
    shards = tf.io.gfile.glob(cfg["train"])
    ds = tf.data.TFRecordDataset(shards, buffer_size=16 * 1024 * 1024)
    ds = ds.repeat().shuffle(cfg["shuffle"]).batch(cfg["batch_size"], drop_remainder=True)

    def unpack(serialized):
        spec = {"tokens": tf.io.FixedLenFeature([cfg["seq_len"] + 1], tf.int64)}
        tokens = tf.io.parse_example(serialized, spec)["tokens"]
        return tokens[:, :-1], tokens[:, 1:]

    return ds.map(unpack, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def build_model(vocab, width, heads, layers, seq_len):
    ids = tf.keras.Input((seq_len,), dtype="int64")
    x = tf.keras.layers.Embedding(vocab, width)(ids)
    for _ in range(layers):
        h = tf.keras.layers.LayerNormalization()(x)
        x = x + tf.keras.layers.MultiHeadAttention(heads, width // heads)(h, h, use_causal_mask=True)
        h = tf.keras.layers.LayerNormalization()(x)
        h = tf.keras.layers.Dense(4 * width, activation="gelu")(h)
        x = x + tf.keras.layers.Dense(width)(h)
    return tf.keras.Model(ids, tf.keras.layers.Dense(vocab)(x))


lm = build_model(seq_len=CONFIG["data"]["seq_len"], **CONFIG["model"])
lm.compile(optimizer=tf.keras.optimizers.AdamW(CONFIG["optim"]["lr"]),
           loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
lm.fit(build_input(CONFIG["data"]), steps_per_epoch=10_000, epochs=CONFIG["optim"]["steps"] // 10_000)
