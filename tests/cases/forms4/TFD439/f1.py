import numpy as np
import tensorflow as tf


def stream():
    rng = np.random.default_rng(0)
    while True:
        x = rng.uniform(-1, 1, size=4).astype("float32")
        yield x, np.float32(x @ [1.0, -2.0, 0.5, 3.0])


ds = tf.data.Dataset.from_generator(
    stream, output_signature=(tf.TensorSpec((4,), tf.float32), tf.TensorSpec((), tf.float32))
)
ds = ds.batch(32).prefetch(tf.data.AUTOTUNE)
iterator = iter(ds)

weights = tf.Variable(tf.zeros([4, 1]))
step = tf.Variable(0, dtype=tf.int64)
checkpoint = tf.train.Checkpoint(weights=weights, step=step, iterator=iterator)
manager = tf.train.CheckpointManager(checkpoint, "ckpt", max_to_keep=3)
checkpoint.restore(manager.latest_checkpoint)

while step < 10_000:
    x, y = next(iterator)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.squeeze(x @ weights, -1) - y))
    weights.assign_sub(0.01 * tape.gradient(loss, weights))
    step.assign_add(1)
    if step % 1000 == 0:
        manager.save()
