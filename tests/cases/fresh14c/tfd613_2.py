from dataclasses import dataclass

import tensorflow as tf


@dataclass
class Hyper:
    precision: str = "mixed_float16"
    length: int = 512
    vocabulary: int = 32_000
    width: int = 512
    heads: int = 8
    depth: int = 6
    batch_size: int = 32
    rate: float = 3e-4
    steps: int = 100_000


class Block(tf.keras.layers.Layer):
    def __init__(self, hyper):
        super().__init__()
        self.attention = tf.keras.layers.MultiHeadAttention(hyper.heads, hyper.width // hyper.heads)
        self.expand = tf.keras.layers.Dense(4 * hyper.width, activation="gelu")
        self.reduce = tf.keras.layers.Dense(hyper.width)
        self.norms = [tf.keras.layers.LayerNormalization() for _ in range(2)]

    def call(self, x):
        y = self.norms[0](x)
        x = x + self.attention(y, y, use_causal_mask=True)
        return x + self.reduce(self.expand(self.norms[1](x)))


def transformer(hyper):
    ids = tf.keras.Input([hyper.length], dtype=tf.int32)
    x = tf.keras.layers.Embedding(hyper.vocabulary, hyper.width)(ids)
    for _ in range(hyper.depth):
        x = Block(hyper)(x)
    logits = tf.keras.layers.Dense(hyper.vocabulary, dtype="float32")(x)
    return tf.keras.Model(ids, logits)


def token_batches(pattern, hyper):
    spec = {"ids": tf.io.FixedLenFeature([hyper.length + 1], tf.int64)}

    def parse(batch):
        ids = tf.cast(tf.io.parse_example(batch, spec)["ids"], tf.int32)
        return ids[:, :-1], ids[:, 1:]

    files = tf.data.Dataset.list_files(pattern, shuffle=True)
    ds = files.interleave(
        tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False
    )
    ds = ds.shuffle(20_000).repeat().batch(hyper.batch_size, drop_remainder=True)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def pretrain(hyper):
    tf.keras.mixed_precision.set_global_policy(hyper.precision)
    model = transformer(hyper)
    optimizer = tf.keras.optimizers.AdamW(hyper.rate, weight_decay=0.1)
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function(jit_compile=True)
    def train_step(inputs, targets):
        with tf.GradientTape() as tape:
            loss = loss_fn(targets, model(inputs, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    for step, (inputs, targets) in enumerate(token_batches("wiki/*.tfrecord", hyper).take(hyper.steps)):
        loss = train_step(inputs, targets)
        if step % 200 == 0:
            tf.print("step", step, "loss", loss)
    model.save("wiki.keras")


if __name__ == "__main__":
    pretrain(Hyper())
