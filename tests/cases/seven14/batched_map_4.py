"""Higgs boson tabular classifier: 11 million rows of CSV."""
import numpy as np
import tensorflow as tf

FEATURES = 28


def csv_rows(path):
    return tf.data.experimental.CsvDataset(
        path, [tf.float32] * (FEATURES + 1), compression_type="GZIP", buffer_size=16 << 20)


def make_packer(mean, scale, clip=5.0):
    def pack(label, *columns):
        x = (tf.stack(columns, -1) - mean) * scale
        return tf.clip_by_value(x, -clip, clip), label[..., tf.newaxis]
    return pack


def pipeline(path, pack, batch, skip=0, take=-1, training=True):
    options = tf.data.Options()
    options.deterministic = not training
    ds = csv_rows(path).skip(skip).take(take)
    if training:
        ds = ds.shuffle(250_000).repeat()
    ds = ds.map(pack, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch, drop_remainder=training)
    return ds.prefetch(tf.data.AUTOTUNE).with_options(options)


def wide_deep():
    inp = tf.keras.Input((FEATURES,))
    wide = tf.keras.layers.Dense(1)(inp)
    x = inp
    for _ in range(5):
        x = tf.keras.layers.Dense(1024, kernel_initializer="he_normal")(x)
        x = tf.keras.layers.BatchNormalization()(x)
        x = tf.keras.layers.Activation("swish")(x)
    return tf.keras.Model(inp, tf.keras.layers.Add()([wide, tf.keras.layers.Dense(1)(x)]))


stats = np.load("/data/higgs/stats.npz")
packer = make_packer(stats["mean"].astype("float32"), (1.0 / stats["std"]).astype("float32"))
SOURCE = "/data/higgs/HIGGS.csv.gz"
train = pipeline(SOURCE, packer, 4096, skip=500_000)
valid = pipeline(SOURCE, packer, 4096, take=500_000, training=False)
model = wide_deep()
model.compile(tf.keras.optimizers.AdamW(1e-3), tf.keras.losses.BinaryCrossentropy(from_logits=True),
              metrics=[tf.keras.metrics.AUC(from_logits=True)])
model.fit(train, validation_data=valid, steps_per_epoch=2500, epochs=20)
