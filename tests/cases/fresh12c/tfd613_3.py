"""Vision transformer pretraining with a custom loop in bfloat16."""
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.mixed_precision.set_global_policy("mixed_bfloat16")


class Vit(keras.Model):
    def __init__(self, depth=8, width=384, heads=6, classes=1000):
        super().__init__()
        self.patch = layers.Conv2D(width, 16, strides=16)
        self.flat = layers.Reshape((196, width))
        self.pos = layers.Embedding(196, width)
        self.attn = [layers.MultiHeadAttention(heads, width // heads) for _ in range(depth)]
        self.norms = [layers.LayerNormalization() for _ in range(2 * depth)]
        self.mlps = [keras.Sequential([layers.Dense(4 * width, activation="gelu"), layers.Dense(width)])
                     for _ in range(depth)]
        self.pool = layers.GlobalAveragePooling1D()
        self.head = layers.Dense(classes, dtype="float32")

    def call(self, x, training=None):
        h = self.flat(self.patch(x)) + self.pos(tf.range(196))
        for i, (attn, mlp) in enumerate(zip(self.attn, self.mlps)):
            n = self.norms[2 * i](h)
            h = h + attn(n, n, training=training)
            h = h + mlp(self.norms[2 * i + 1](h))
        return self.head(self.pool(h))


def imagenet(pattern, batch):
    def parse(rec):
        ex = tf.io.parse_single_example(rec, {"image/encoded": tf.io.FixedLenFeature([], tf.string),
                                              "image/class/label": tf.io.FixedLenFeature([], tf.int64)})
        img = tf.image.resize(tf.io.decode_jpeg(ex["image/encoded"], channels=3), (224, 224))
        return img / 127.5 - 1.0, ex["image/class/label"] - 1

    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(10_000).repeat().map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


model, opt = Vit(), keras.optimizers.AdamW(3e-4, weight_decay=0.05)
xent = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = xent(y, model(x, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))
    return loss


for i, (x, y) in enumerate(imagenet("/data/imagenet/train-*", 512).take(250_000)):
    loss = step(x, y)
    if i % 1000 == 0:
        tf.print(i, loss)
