import tensorflow as tf
import tensorflow_datasets as tfds

generator = tf.random.Generator.from_seed(123)


def shrink(image, label):
    return tf.image.resize(image, (96, 96)) / 255.0, label


def jitter(images, labels):
    shift = generator.uniform([tf.shape(images)[0], 1, 1, 3], -0.1, 0.1)
    return tf.clip_by_value(images + shift, 0.0, 1.0), labels


def pipeline(batch_size):
    ds = tfds.load("eurosat/rgb", split="train[:90%]", as_supervised=True)
    ds = ds.shuffle(5000, seed=123)
    ds = ds.map(shrink, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size).map(jitter)
    return ds.prefetch(tf.data.AUTOTUNE)


tf.random.set_seed(123)
model = tf.keras.Sequential([
    tf.keras.Input((96, 96, 3)),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalMaxPooling2D(),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(pipeline(64), epochs=10)
