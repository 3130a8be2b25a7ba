import numpy as np
import tensorflow as tf

arrays = np.load("pump.npz")
x, y = arrays["x"].astype("float32"), arrays["y"].astype("float32")
cut = int(0.9 * len(y))
train = tf.data.Dataset.from_tensor_slices((x[:cut], y[:cut])).shuffle(cut).batch(64).prefetch(tf.data.AUTOTUNE)
val = tf.data.Dataset.from_tensor_slices((x[cut:], y[cut:])).shuffle(len(y) - cut).batch(64).prefetch(tf.data.AUTOTUNE)

net = tf.keras.Sequential([tf.keras.layers.Dense(32, activation="relu"), tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.Adam()
log = open("log.csv", "w")
for epoch in range(10):
    for step, (bx, by) in enumerate(train):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(net(bx)[:, 0] - by))
        opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        vx, vy = val.__iter__().get_next()
        val_loss = tf.reduce_mean(tf.square(net(vx)[:, 0] - vy))
        log.write(f"{epoch},{step},{float(loss)},{float(val_loss)}\n")
log.close()
