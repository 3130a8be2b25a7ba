import tensorflow as tf
import tensorflow_datasets as tfds


def to_float(image):
    return tf.cast(image, tf.float32)


def prepare(image, label):
    image = tf.image.convert_image_dtype(to_float(image), tf.float32)
    return image, tf.one_hot(label, 10)


def pipeline(split, training):
    ds = tfds.load("svhn_cropped", split=split, as_supervised=True, shuffle_files=training)
    if training:
        ds = ds.shuffle(20_000)
    ds = ds.map(prepare, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(128).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.Input((32, 32, 3)),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "categorical_crossentropy", metrics=["accuracy"])
model.fit(pipeline("train", True), validation_data=pipeline("test", False), epochs=6)
