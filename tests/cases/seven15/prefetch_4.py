# %% Speech commands, quick experiment
import glob
import os
import random

import tensorflow as tf

ROOT = "/data/speech_commands"
WORDS = sorted(d for d in os.listdir(ROOT) if not d.startswith("_"))
AUTOTUNE = tf.data.AUTOTUNE

# %%
paths = glob.glob(os.path.join(ROOT, "*", "*.wav"))
random.Random(3).shuffle(paths)
labels = [WORDS.index(os.path.basename(os.path.dirname(p))) for p in paths]
cut = int(0.9 * len(paths))


# %%
def load(path, label):
    audio, _ = tf.audio.decode_wav(tf.io.read_file(path), 1, 16000)
    spec = tf.abs(tf.signal.stft(audio[:, 0], 400, 160, 512))
    return tf.math.log(spec + 1e-6)[..., tf.newaxis], label


train_ds = tf.data.Dataset.from_tensor_slices((paths[:cut], labels[:cut]))
train_ds = train_ds.shuffle(cut, seed=3)
train_ds = train_ds.map(load, num_parallel_calls=AUTOTUNE)
train_ds = train_ds.batch(64)
train_ds.prefetch(AUTOTUNE)

# %%
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, strides=2, activation="relu"),
    tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(len(WORDS)),
])
opt = tf.keras.optimizers.Adam(1e-3)
xent = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = xent(y, model(x, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))
    return loss


# %%
for epoch in range(10):
    mean = tf.keras.metrics.Mean()
    for x, y in train_ds:
        mean.update_state(step(x, y))
    print(epoch, mean.result().numpy())
