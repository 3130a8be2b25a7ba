import numpy as np
import tensorflow as tf

x = np.load("x.npy").astype("float32")
y = np.load("y.npy").astype("float32")
ds = tf.data.Dataset.from_tensor_slices((x, y))
ds = ds.shuffle(len(x)).repeat().batch(64).prefetch(tf.data.AUTOTUNE)

w = tf.Variable(tf.zeros((x.shape[1],)))
opt = tf.keras.optimizers.Adam(0.01)
for step in range(5000):
    bx, by = next(iter(ds))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(bx, w) - by) ** 2)
    opt.apply_gradients([(tape.gradient(loss, w), w)])
    if step % 500 == 0:
        print(step, float(loss))
