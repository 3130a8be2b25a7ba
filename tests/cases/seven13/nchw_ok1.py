"""Mixed-precision hybrid ConvNet/attention model; all convolutions keep channels last."""
import dataclasses

import tensorflow as tf

tf.keras.mixed_precision.set_global_policy("mixed_float16")


@dataclasses.dataclass
class HybridConfig:
    records: str = "/data/aerial/train-*.tfrecord"
    width: int = 384
    heads: int = 6
    layers: int = 8
    batch: int = 256


class Attention(tf.keras.layers.Layer):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.width = heads, width
        self.qkv = tf.keras.layers.Dense(3 * width)
        self.out = tf.keras.layers.Dense(width)

    def call(self, x):
        n = tf.shape(x)[1]
        qkv = tf.reshape(self.qkv(x), [-1, n, 3, self.heads, self.width // self.heads])
        q, k, v = tf.unstack(tf.transpose(qkv, [2, 0, 3, 1, 4]), 3)
        weights = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) * (self.width // self.heads) ** -0.5)
        merged = tf.transpose(tf.matmul(weights, v), [0, 2, 1, 3])
        return self.out(tf.reshape(merged, [-1, n, self.width]))


class Hybrid(tf.keras.Model):
    def __init__(self, cfg):
        super().__init__()
        self.stem = tf.keras.Sequential([
            tf.keras.layers.Conv2D(f, 3, 2, "same", activation="gelu", data_format="channels_last")
            for f in (64, 128, 256, cfg.width)])
        self.flat = tf.keras.layers.Reshape([-1, cfg.width])
        self.blocks = [(tf.keras.layers.LayerNormalization(), Attention(cfg.width, cfg.heads))
                       for _ in range(cfg.layers)]
        self.head = tf.keras.layers.Dense(45, dtype="float32")

    def call(self, x):
        x = self.flat(self.stem(x / 255.0))
        for norm, attn in self.blocks:
            x = x + attn(norm(x))
        return self.head(tf.reduce_mean(x, 1))


def tiles(cfg):
    def parse(rec):
        ex = tf.io.parse_single_example(rec, {
            "png": tf.io.FixedLenFeature([], tf.string), "y": tf.io.FixedLenFeature([], tf.int64)})
        img = tf.image.random_crop(tf.io.decode_png(ex["png"], 3), [256, 256, 3])
        return tf.cast(img, tf.float32), ex["y"]
    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(cfg.records), num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(8192).repeat().map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(cfg.batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


cfg = HybridConfig()
model = Hybrid(cfg)
model.compile("adamw", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
model.fit(tiles(cfg), steps_per_epoch=2000, epochs=100)
