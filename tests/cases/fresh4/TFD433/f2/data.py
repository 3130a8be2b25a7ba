import tensorflow as tf
import tensorflow_datasets as tfds


def letters(image, label):
    targets = tf.one_hot(label - 1, depth=26)
    return tf.cast(image, tf.float32) / 255.0, targets


def training_data(split, batch_size=128):
    training = split == "train"
    ds = tfds.load("emnist/letters", split=split, as_supervised=True, shuffle_files=training)
    if training:
        ds = ds.shuffle(20_000)
    ds = ds.map(letters, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)
