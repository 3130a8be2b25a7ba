import tensorflow as tf


def finalize(ds, batch_size):
    ds = ds.batch(batch_size, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


def decode(path):
    img = tf.io.decode_png(tf.io.read_file(path), channels=1)
    img = tf.image.resize(img, (64, 64)) / 255.0
    return img, img


def train_dataset(pattern):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(1000)
    return finalize(ds, 32)


autoencoder = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, strides=2, padding="same", activation="relu"),
    tf.keras.layers.Conv2DTranspose(1, 3, strides=2, padding="same", activation="sigmoid"),
])
autoencoder.compile("adam", "mse")
autoencoder.fit(train_dataset("/data/glyphs/*.png"), epochs=10)
