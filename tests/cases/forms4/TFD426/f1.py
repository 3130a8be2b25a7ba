import tensorflow as tf

(x_train, y_train), _ = tf.keras.datasets.cifar10.load_data()

train = tf.data.Dataset.from_tensor_slices((x_train, y_train))
train = train.shuffle(50_000)
train = train.map(
    lambda image: tf.cast(image, tf.float32) / 255.0, num_parallel_calls=tf.data.AUTOTUNE
)
train = train.batch(64).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((32, 32, 3)),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, epochs=5)
