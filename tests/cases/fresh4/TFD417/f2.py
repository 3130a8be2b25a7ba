import tensorflow as tf

(x_train, y_train), (x_test, y_test) = tf.keras.datasets.fashion_mnist.load_data()


def scale(image, label):
    return tf.cast(image, tf.float32) / 255.0, label


train = tf.data.Dataset.from_tensor_slices((x_train, y_test))
train = train.shuffle(60_000).map(scale, num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(64).prefetch(tf.data.AUTOTUNE)

test = tf.data.Dataset.from_tensor_slices((x_test, y_test))
test = test.map(scale, num_parallel_calls=tf.data.AUTOTUNE)
test = test.batch(64).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((28, 28)),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, validation_data=test, epochs=5)
