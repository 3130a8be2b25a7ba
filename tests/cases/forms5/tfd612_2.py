import numpy as np
import tensorflow as tf

tf.config.run_functions_eagerly(True)
tf.random.set_seed(42)


class PINN(tf.keras.Model):
    def __init__(self, width=50, depth=5):
        super().__init__()
        self.hidden = [tf.keras.layers.Dense(width, activation="tanh") for _ in range(depth)]
        self.out = tf.keras.layers.Dense(1)

    def call(self, xt):
        for layer in self.hidden:
            xt = layer(xt)
        return self.out(xt)


model = PINN()
optimizer = tf.keras.optimizers.Adam(1e-3)


@tf.function
def train_step(xt, u):
    with tf.GradientTape() as tape:
        with tf.GradientTape() as inner:
            inner.watch(xt)
            pred = model(xt)
        du = inner.gradient(pred, xt)
        residual = du[:, 1:] + pred * du[:, :1]
        loss = tf.reduce_mean(tf.square(pred - u)) + tf.reduce_mean(tf.square(residual))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


data = np.load("/data/burgers/collocation.npz")
points = tf.data.Dataset.from_tensor_slices(
    (data["xt"].astype("float32"), data["u"].astype("float32")))
points = points.shuffle(200_000).batch(1024, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

for epoch in range(2000):
    for xt, u in points:
        loss = train_step(xt, u)
    if epoch % 50 == 0:
        print(epoch, loss.numpy())
