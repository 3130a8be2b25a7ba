import numpy as np
import tensorflow as tf

x = np.load("x.npy").astype("float32")
y = np.load("y.npy").astype("float32")
w = tf.Variable(tf.zeros((x.shape[1],)))
opt = tf.keras.optimizers.Adam(0.01)

for epoch in range(100):
    ds = tf.data.Dataset.from_tensor_slices((x, y))
    ds = ds.shuffle(len(x)).batch(64).prefetch(tf.data.AUTOTUNE)
    for bx, by in ds:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.linalg.matvec(bx, w) - by) ** 2)
        opt.apply_gradients([(tape.gradient(loss, w), w)])
    print(epoch, float(loss))
