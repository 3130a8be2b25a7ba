import tensorflow as tf

from reading import read_tile

AUTO = tf.data.AUTOTUNE


def orient(tile, mask_share):
    tile = tf.image.random_flip_up_down(tile)
    tile = tf.image.random_flip_left_right(tile)
    return tile, mask_share


names = sorted(tf.io.gfile.glob("tiles/*.png"))
shares = [float(n.split("-")[-1][:-4]) for n in names]
ds = tf.data.Dataset.from_tensor_slices((names, shares)).shuffle(len(names))
ds = ds.map(read_tile, num_parallel_calls=AUTO).map(orient, num_parallel_calls=AUTO)
ds = ds.batch(64).prefetch(AUTO)

net = tf.keras.Sequential([tf.keras.layers.Conv2D(8, 3), tf.keras.layers.GlobalAveragePooling2D(), tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.Adam()
for epoch in range(5):
    for x, y in ds:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(net(x)[:, 0] - y))
        grads = tape.gradient(loss, net.trainable_variables)
        opt.apply_gradients(zip(grads, net.trainable_variables))
