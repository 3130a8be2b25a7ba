from dataclasses import dataclass

import tensorflow as tf


@dataclass
class Config:
    pattern: str = "gs://corpus/shards/part-*.tfrecord"
    batch: int = 64
    epochs: int = 5
    lr: float = 3e-4


cfg = Config()


def parse(rec):
    f = tf.io.parse_single_example(rec, {"x": tf.io.FixedLenFeature([784], tf.float32),
                                         "y": tf.io.FixedLenFeature([], tf.int64)})
    return f["x"], f["y"]


dataset = (
    tf.data.Dataset.list_files(cfg.pattern)
    .interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    .map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    .shuffle(8192)
    .batch(cfg.batch, drop_remainder=True)
)

model = tf.keras.Sequential([tf.keras.layers.Dense(512, "relu"), tf.keras.layers.Dense(10)])
opt = tf.keras.optimizers.Adam(cfg.lr)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))
    return loss


for epoch in range(cfg.epochs):
    for x, y in dataset:
        loss = step(x, y)
    print(epoch, float(loss))
