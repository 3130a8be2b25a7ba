import keras
import tensorflow as tf


def decode(picture):
    return tf.image.resize(tf.io.decode_jpeg(picture, channels=3), [64, 64])


def augment(image):
    return tf.image.random_flip_left_right(image), tf.reduce_mean(image)


def train_data():
    picture = tf.io.encode_jpeg(tf.zeros([1600, 1600, 3], tf.uint8))
    pictures = tf.data.Dataset.from_tensors(picture).repeat()
    images = pictures.map(decode)
    images = images.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
    return images.batch(4).prefetch(2)


model = keras.Sequential([keras.layers.GlobalAveragePooling2D(), keras.layers.Dense(1)])
model.compile("sgd", "mse")
profile = keras.callbacks.TensorBoard("logs", profile_batch=(5, 16))
model.fit(train_data(), steps_per_epoch=20, callbacks=[profile])
