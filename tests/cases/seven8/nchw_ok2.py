"""ViT on plant images; keeps a data_format switch from an older code base."""
import argparse

import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


def load(pattern, size, batch_size):
    def parse(rec):
        ex = tf.io.parse_single_example(rec, {"image": tf.io.FixedLenFeature([], tf.string),
                                              "label": tf.io.FixedLenFeature([], tf.int64)})
        img = tf.io.decode_jpeg(ex["image"], channels=3)
        img = tf.image.resize(img, [size + 32, size + 32])
        img = tf.image.random_crop(img, [size, size, 3])
        # Random transposition of the image plane as augmentation (H <-> W, channels stay last).
        img = tf.cond(tf.random.uniform([]) < 0.5,
                      lambda: tf.transpose(img, [1, 0, 2]), lambda: img)
        return img / 127.5 - 1.0, ex["label"]

    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTOTUNE)
    ds = ds.shuffle(10_000).map(parse, num_parallel_calls=AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(AUTOTUNE)


class Attention(tf.keras.layers.Layer):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads, self.dk = heads, dim // heads
        self.qkv = tf.keras.layers.Dense(3 * dim)
        self.out = tf.keras.layers.Dense(dim)

    def call(self, x):
        b, n = tf.shape(x)[0], tf.shape(x)[1]
        qkv = tf.reshape(self.qkv(x), [b, n, 3, self.heads, self.dk])
        q, k, v = tf.unstack(tf.transpose(qkv, [2, 0, 3, 1, 4]))
        w = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) / self.dk ** 0.5)
        y = tf.transpose(tf.matmul(w, v), [0, 2, 1, 3])
        return self.out(tf.reshape(y, [b, n, self.heads * self.dk]))


def vit(size, classes, data_format, patch=16, dim=384, depth=12, heads=6):
    if data_format != "channels_last":
        raise ValueError("only channels_last is supported since v2")
    L = tf.keras.layers
    inp = L.Input((size, size, 3))
    x = L.Conv2D(dim, patch, patch, data_format=data_format)(inp)
    x = L.Reshape(((size // patch) ** 2, dim))(x)
    for _ in range(depth):
        x = L.Add()([x, Attention(dim, heads)(L.LayerNormalization()(x))])
        h = L.Dense(4 * dim, activation="gelu")(L.LayerNormalization()(x))
        x = L.Add()([x, L.Dense(dim)(h)])
    x = L.GlobalAveragePooling1D()(L.LayerNormalization()(x))
    return tf.keras.Model(inp, L.Dense(classes)(x))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--data", default="/data/plantclef/train-*")
    p.add_argument("--data_format", default="channels_last",
                   choices=["channels_last", "channels_first"])
    p.add_argument("--size", type=int, default=224)
    p.add_argument("--epochs", type=int, default=100)
    args = p.parse_args()
    model = vit(args.size, 7806, args.data_format)
    model.compile(tf.keras.optimizers.AdamW(5e-4, weight_decay=0.05),
                  tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(load(args.data, args.size, 256), epochs=args.epochs)


if __name__ == "__main__":
    main()
