import functools

import tensorflow as tf

compiled = functools.partial(tf.function, jit_compile=True)


def load(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=1)
    return tf.image.resize(image, (256, 256)) / 255.0


net = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, strides=2, padding="same", activation="relu"),
    tf.keras.layers.Conv2DTranspose(1, 3, strides=2, padding="same"),
])
opt = tf.keras.optimizers.Adam()


@compiled
def update(images):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(net(images, training=True) - images))
    grads = tape.gradient(loss, net.trainable_variables)
    opt.apply_gradients(zip(grads, net.trainable_variables))


ds = tf.data.Dataset.list_files("/data/xray/*.png").repeat(10)
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(16, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
for images in ds:
    update(images)
