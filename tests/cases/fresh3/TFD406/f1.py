import tensorflow as tf


def decode(path, size=(128, 128)):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, size) / 255.0


def split(ds, fraction=0.2):
    total = len(list(ds.as_numpy_iterator()))
    count = int(fraction * total)
    return ds.skip(count), ds.take(count)


files = tf.data.Dataset.list_files("galaxies/*.jpg", shuffle=False)
train, val = split(files)
train, val = [
    part.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    .map(lambda x: (x, x), num_parallel_calls=tf.data.AUTOTUNE)
    .batch(32)
    .prefetch(tf.data.AUTOTUNE)
    for part in (train, val)
]
auto = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(3, 3, padding="same", activation="sigmoid"),
])
auto.compile("adam", "mse")
auto.fit(train, validation_data=val, epochs=10)
