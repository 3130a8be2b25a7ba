import tensorflow as tf

from pipeline import finish, records

EPOCHS = 12
ds = records("plates-*.tfrecord").repeat(EPOCHS)
ds = finish(ds, 64)

net = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(36),
])
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
opt = tf.keras.optimizers.Adam()
for step, (x, y) in enumerate(ds):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, net(x, training=True))
    grads = tape.gradient(loss, net.trainable_variables)
    opt.apply_gradients(zip(grads, net.trainable_variables))
    if step % 100 == 0:
        print(step, float(loss))
