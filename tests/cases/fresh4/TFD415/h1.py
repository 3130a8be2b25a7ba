import tensorflow as tf

BATCH_SIZE = 100

(x_train, y_train), (x_test, y_test) = tf.keras.datasets.mnist.load_data()


def scale(image, label):
    return tf.cast(image, tf.float32)[..., tf.newaxis] / 255.0, label


train = tf.data.Dataset.from_tensor_slices((x_train, y_train)).shuffle(60_000)
train = train.map(scale, num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(BATCH_SIZE, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

test = tf.data.Dataset.from_tensor_slices((x_test, y_test))
test = test.map(scale, num_parallel_calls=tf.data.AUTOTUNE)
test = test.batch(BATCH_SIZE, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((28, 28, 1)),
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=3)
print("test accuracy", model.evaluate(test)[1])
