import tensorflow as tf


def load(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=1)
    return tf.image.resize(image, (256, 256)) / 255.0


def noisy(x):
    return x + tf.random.normal(tf.shape(x), stddev=0.1), x


ds = tf.data.Dataset.list_files("/data/xray/*.png")
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(16)
to_gpu = tf.data.experimental.prefetch_to_device("/GPU:0")
ds = ds.map(noisy, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.apply(to_gpu)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, strides=2, padding="same", activation="relu"),
    tf.keras.layers.Conv2DTranspose(1, 3, strides=2, padding="same"),
])
model.compile("adam", "mse")
model.fit(ds, epochs=10)
