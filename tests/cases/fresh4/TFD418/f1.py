import tensorflow as tf
import tensorflow_datasets as tfds


def prepare(image):
    return tf.image.resize(image, (100, 100)) / 255.0


flowers = tfds.load("tf_flowers", split="train", as_supervised=True)
flowers = flowers.shuffle(4000)

images = flowers.map(lambda image, label: prepare(image), num_parallel_calls=tf.data.AUTOTUNE)
labels = flowers.map(
    lambda image, label: tf.one_hot(label, 5), num_parallel_calls=tf.data.AUTOTUNE
)
train = tf.data.Dataset.zip((images, labels))
train = train.batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((100, 100, 3)),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(5, activation="softmax"),
])
model.compile("adam", "categorical_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=10)
