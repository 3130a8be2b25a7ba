import tensorflow as tf

STEPS = 20000


def parse(records):
    return tf.io.parse_example(records, {
        "x": tf.io.FixedLenFeature([20], tf.float32), "y": tf.io.FixedLenFeature([], tf.float32)})


files = sorted(tf.io.gfile.glob("bikes-*.rec"))
ds = tf.data.TFRecordDataset(files).shuffle(10000).repeat().batch(256)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
net = tf.keras.Sequential([tf.keras.layers.Dense(32, activation="relu"), tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.Adam()
for step, batch in ds.enumerate():
    if step == STEPS:
        break
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((net(batch["x"])[:, 0] - batch["y"]) ** 2)
    grads = tape.gradient(loss, net.trainable_variables)
    opt.apply_gradients(zip(grads, net.trainable_variables))
    if step % 1000 == 0:
        print(int(step), float(loss))
