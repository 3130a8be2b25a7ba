import numpy as np
import tensorflow as tf

SEED = 1234


def splitter(n):
    """Two functions for Dataset.apply: the first n elements, and what follows them."""

    def head(ds):
        return ds.take(n)

    def tail(ds):
        return ds.skip(n)

    return head, tail


with np.load("data/molecules.npz") as archive:
    fingerprints = archive["fingerprints"].astype("float32")
    solubility = archive["solubility"].astype("float32")

count = len(fingerprints)
molecules = tf.data.Dataset.from_tensor_slices((fingerprints, solubility)).shuffle(count, seed=SEED)
test_part, train_part = splitter(count // 5)
train = molecules.apply(train_part).batch(128, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
test = molecules.apply(test_part).batch(128).prefetch(tf.data.AUTOTUNE)

net = tf.keras.Sequential([
    tf.keras.layers.Dense(256, activation="relu"),
    tf.keras.layers.Dropout(0.2),
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(1),
])
optimizer = tf.keras.optimizers.Adam(1e-3)
mae = tf.keras.metrics.MeanAbsoluteError()


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(net(x, training=True)[:, 0] - y))
    grads = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients(zip(grads, net.trainable_variables))
    return loss


for epoch in range(50):
    for x, y in train:
        loss = step(x, y)
    mae.reset_state()
    for x, y in test:
        mae.update_state(y, net(x, training=False)[:, 0])
    print(f"epoch {epoch}: loss {float(loss):.4f}, test MAE {float(mae.result()):.4f}")
