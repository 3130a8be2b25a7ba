import tensorflow as tf

SIZE = 300


def load(path):
    image = tf.io.decode_image(tf.io.read_file(path), channels=3, expand_animations=False)
    shape = tf.cast(tf.shape(image)[:2], tf.float32)
    scale = 1.15 * SIZE / tf.reduce_min(shape)
    image = tf.image.resize(image, tf.cast(tf.math.ceil(shape * scale), tf.int32))
    return tf.image.random_crop(image, (SIZE, SIZE, 3))


def rescale(images):
    images = images / 127.5 - 1.0
    return images, images


ds = tf.data.Dataset.list_files("/data/art/*/*", shuffle=True)
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
ds = ds.batch(16, drop_remainder=True)
ds = ds.map(rescale, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)

encoder = tf.keras.Sequential([
    tf.keras.Input((SIZE, SIZE, 3)),
    tf.keras.layers.Conv2D(32, 4, 2, "same", activation="relu"),
    tf.keras.layers.Conv2D(64, 4, 2, "same", activation="relu"),
])
decoder = tf.keras.Sequential([
    tf.keras.layers.Conv2DTranspose(32, 4, 2, "same", activation="relu"),
    tf.keras.layers.Conv2DTranspose(3, 4, 2, "same", activation="tanh"),
])
autoencoder = tf.keras.Sequential([encoder, decoder])
autoencoder.compile("adam", "mae")
autoencoder.fit(ds, epochs=50)
