import tensorflow as tf
import tensorflow_datasets as tfds

ds = tfds.load("cifar10", split="train", as_supervised=True)


def prep(image, label):
    image = tf.image.resize(image, (96, 96))
    return image / 255.0, label


ds = ds.map(prep, num_parallel_calls=tf.data.AUTOTUNE)
small = ds.cache().take(5000)
small = small.shuffle(5000, seed=2).batch(64).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(small, epochs=10)
