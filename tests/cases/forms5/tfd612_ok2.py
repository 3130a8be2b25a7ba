import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([
    tf.keras.layers.Input((2,)),
    tf.keras.layers.Dense(50, activation="tanh"),
    tf.keras.layers.Dense(50, activation="tanh"),
    tf.keras.layers.Dense(1),
])
optimizer = tf.keras.optimizers.Adam(1e-3)
optimizer.build(model.trainable_variables)


@tf.function
def train_step(xt, u):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(xt, training=True) - u))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


def check(batch):
    tf.config.run_functions_eagerly(True)
    try:
        tf.debugging.assert_all_finite(train_step(*batch), "loss")
    finally:
        tf.config.run_functions_eagerly(False)


data = np.load("/data/burgers/collocation.npz")
points = tf.data.Dataset.from_tensor_slices(
    (data["xt"].astype("float32"), data["u"].astype("float32")))
points = points.shuffle(200_000).batch(1024, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

check(next(iter(points)))
for epoch in range(2000):
    for xt, u in points:
        loss = train_step(xt, u)
    if epoch % 50 == 0:
        print(epoch, float(loss))
