import tensorflow as tf
import tensorflow_datasets as tfds


def to_float(image, label):
    return tf.image.convert_image_dtype(image, tf.float32), label


def invert(image, label):
    return 1.0 - image, label


def standardize(image, label):
    return (image - 0.5) * 2.0, label


STEPS = [to_float, invert, standardize]

train = tfds.load("mnist", split="train", as_supervised=True, shuffle_files=True)
train = train.cache().shuffle(60000)
for step in STEPS:
    train = train.map(step, num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(128).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, epochs=6)
