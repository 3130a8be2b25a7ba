import tensorflow as tf
import tensorflow_datasets as tfds

AUTOTUNE = tf.data.AUTOTUNE


def to_unit(image, label):
    return tf.image.resize(image, (150, 150)) / 255.0, label


def prepare(ds):
    return ds.map(to_unit, num_parallel_calls=AUTOTUNE).batch(32).prefetch(AUTOTUNE)


train, test = tfds.load("horses_or_humans", split=["train", "test"], as_supervised=True)
train, test = prepare(train), prepare(test)

model = tf.keras.Sequential([
    tf.keras.Input((150, 150, 3)),
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.MaxPooling2D(),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("rmsprop", "binary_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=8, validation_data=test)
