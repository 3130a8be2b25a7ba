import tensorflow as tf
import tensorflow_datasets as tfds


def food(split, size, batch_size=32):
    def prepare(image, label):
        image = tf.image.convert_image_dtype(image, tf.float32)
        return tf.image.resize(image, (size, size)), label

    training = split == "train"
    ds = tfds.load("food101", split=split, as_supervised=True, shuffle_files=training)
    if training:
        ds = ds.shuffle(1000)
    ds = ds.map(prepare, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)
