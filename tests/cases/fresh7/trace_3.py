"""Denoise ECG strips; a profile of one epoch goes to LOGDIR."""
import os

import numpy as np
import tensorflow as tf

LOGDIR = os.environ.get("LOGDIR", "logs/ecg")
CONFIG = dict(batch=64, epochs=5, profiled_epoch=1, lr=2e-4)

clean = np.load("data/ecg.npy").astype("float32")[..., None]
strips = tf.data.Dataset.from_tensor_slices(clean).shuffle(len(clean))
strips = strips.batch(CONFIG["batch"], drop_remainder=True).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv1D(32, 9, padding="same", activation="relu"),
    tf.keras.layers.Conv1D(32, 9, padding="same", activation="relu"),
    tf.keras.layers.Conv1D(1, 9, padding="same"),
])
optimizer = tf.keras.optimizers.Adam(CONFIG["lr"])


@tf.function
def denoise_step(strip):
    noisy = strip + tf.random.normal(tf.shape(strip), stddev=0.1)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(model(noisy, training=True) - strip))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


step = 0
for epoch in range(CONFIG["epochs"]):
    batches = iter(strips)
    if epoch == CONFIG["profiled_epoch"]:
        tf.profiler.experimental.start(LOGDIR)
    while (batch := next(batches, None)) is not None:
        with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
            loss = denoise_step(batch)
        step += 1
    if epoch == CONFIG["profiled_epoch"]:
        tf.profiler.experimental.stop()
    print(f"epoch {epoch} loss {float(loss):.4f}")

model.save("ecg_denoiser.keras")
