"""Sensor classification. Noise is added to the windows and annealed with the steps of the optimizer."""
import numpy as np
import tensorflow as tf

BATCH_SIZE = 64
START_NOISE = 0.3

train = np.load("data/har/train.npz")
test = np.load("data/har/test.npz")
mean = train["x"].mean(axis=(0, 1))
std = train["x"].std(axis=(0, 1))

optimizer = tf.keras.optimizers.Adam(5e-4)
print("first step:", optimizer.iterations.numpy())


def add_noise(window, label):
    progress = tf.cast(optimizer.iterations, tf.float32) / 10_000.0
    stddev = START_NOISE * tf.maximum(0.0, 1.0 - progress)
    window = (tf.cast(window, tf.float32) - mean.astype("float32")) / std.astype("float32")
    return window + tf.random.normal(tf.shape(window), stddev=stddev), label


train_ds = tf.data.Dataset.from_tensor_slices((train["x"], train["y"]))
train_ds = train_ds.shuffle(len(train["x"])).map(add_noise)
train_ds = train_ds.batch(BATCH_SIZE, drop_remainder=True)

model = tf.keras.Sequential(
    [
        tf.keras.layers.Conv1D(64, 5, activation="relu", input_shape=train["x"].shape[1:]),
        tf.keras.layers.MaxPooling1D(),
        tf.keras.layers.Conv1D(64, 5, activation="relu"),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(6),
    ]
)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))
    return loss


for epoch in range(30):
    losses = [train_step(x, y).numpy() for x, y in train_ds]
    print(f"epoch {epoch}: {np.mean(losses):.4f}")

scores = model.predict((test["x"] - mean) / std, batch_size=256)
print("test accuracy:", np.mean(scores.argmax(axis=1) == test["y"]))
