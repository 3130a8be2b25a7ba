import numpy as np
import tensorflow as tf


def normalized(x, y):
    return (x - 0.5) * 2.0, y


table = np.load("digits.npz")
ds = tf.data.Dataset.from_tensor_slices((table["x"].astype("float32"), table["y"]))
ds = ds.shuffle(2000, seed=4).repeat()
ds = ds.map(normalized, num_parallel_calls=tf.data.AUTOTUNE)
batches = iter(ds.batch(64).prefetch(tf.data.AUTOTUNE))

model = tf.keras.Sequential([tf.keras.Input((64,)), tf.keras.layers.Dense(10)])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
step = tf.Variable(0, dtype=tf.int64)
checkpoint = tf.train.Checkpoint(model=model, step=step, batches=batches)
manager = tf.train.CheckpointManager(checkpoint, "digits_ckpt", max_to_keep=3)
checkpoint.restore(manager.latest_checkpoint)

while step < 20_000:
    model.train_on_batch(*next(batches))
    step.assign_add(1)
    if step % 1000 == 0:
        manager.save()
