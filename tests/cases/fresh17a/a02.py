import numpy as np
import tensorflow as tf

EPOCHS, BATCH = 200, 256
store = np.load("/data/molecules.npz")


def noisy(fp, y):
    flip = tf.cast(tf.random.uniform(tf.shape(fp)) < 0.01, tf.float32)
    return tf.abs(fp - flip), y


def make_train():
    ds = tf.data.Dataset.from_tensor_slices((store["fp"].astype("float32"), store["logp"].astype("float32")))
    ds = ds.shuffle(len(store["logp"])).batch(BATCH)
    return ds.map(noisy, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


net = tf.keras.Sequential([
    tf.keras.layers.Dense(512, "relu"),
    tf.keras.layers.Dropout(0.2),
    tf.keras.layers.Dense(128, "relu"),
    tf.keras.layers.Dense(1),
])
opt = tf.keras.optimizers.Adam(5e-4)


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(net(x, training=True)[:, 0] - y))
    grads = tape.gradient(loss, net.trainable_variables)
    opt.apply_gradients(zip(grads, net.trainable_variables))
    return loss


for epoch in range(EPOCHS):
    total = tf.keras.metrics.Mean()
    for x, y in make_train():
        total.update_state(step(x, y))
    if epoch % 10 == 0:
        print(epoch, float(total.result()))
net.save("/models/logp.keras")
