import tensorflow as tf
import tensorflow_datasets as tfds


def scale(image, label):
    return tf.cast(image, tf.float32) / 255.0, label


def flip(image, label):
    return tf.image.random_flip_left_right(image), label


def make(split, batch, augment=False):
    ds = tfds.load("cifar10", split=split, as_supervised=True)
    if augment:
        ds = ds.shuffle(50000)
        ds.map(flip, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch)
    ds = ds.map(scale, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(make("train", 128, augment=True), validation_data=make("test", 128), epochs=20)
