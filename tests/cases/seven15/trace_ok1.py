import numpy as np
import tensorflow as tf

LOG = "/tmp/logs/ecg"


def ecg(path, batch):
    z = np.load(path)
    x, y = z["signal"].astype(np.float32), z["rhythm"].astype(np.int64)
    ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(len(x), seed=2).repeat()
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


net = tf.keras.Sequential([
    tf.keras.layers.Conv1D(32, 7, strides=2, activation="relu"),
    tf.keras.layers.Conv1D(64, 5, strides=2, activation="relu"),
    tf.keras.layers.GlobalMaxPool1D(),
    tf.keras.layers.Dense(5),
])
opt = tf.keras.optimizers.Adam()
xent = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = xent(y, net(x, training=True))
    opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
    return loss


it = iter(ecg("mitbih.npz", 128))
for step in range(1000):
    if step == 200:
        tf.profiler.experimental.start(LOG)
    with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
        x, y = next(it)
        loss = train_step(x, y)
    if step == 260:
        tf.profiler.experimental.stop()
print(float(loss))
