import tensorflow as tf

(x_train, _), _ = tf.keras.datasets.cifar10.load_data()

train = tf.data.Dataset.from_tensor_slices(x_train)
train = train.shuffle(50_000)
train = train.map(
    lambda image: tf.cast(image, tf.float32) / 255.0, num_parallel_calls=tf.data.AUTOTUNE
)
train = train.map(lambda image: (image, image), num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(64).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((32, 32, 3)),
    tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(3, 3, padding="same", activation="sigmoid"),
])
model.compile("adam", "mse")
model.fit(train, epochs=5)
