import tensorflow as tf


def add_noise(clean):
    noise = tf.random.normal(tf.shape(clean), stddev=0.2)
    return clean + noise, clean


def noisy_digits(batch_size):
    (images, _), _ = tf.keras.datasets.mnist.load_data()
    images = (images[..., None] / 255.0).astype("float32")
    ds = tf.data.Dataset.from_tensor_slices(images)
    ds = ds.shuffle(60_000).repeat()
    ds = ds.map(add_noise, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)
