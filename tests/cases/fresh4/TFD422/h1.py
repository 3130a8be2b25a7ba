import tensorflow as tf

BATCH_SIZE = 50
EPOCHS = 10

(x_train, y_train), _ = tf.keras.datasets.fashion_mnist.load_data()
steps = len(x_train) // BATCH_SIZE

train = tf.data.Dataset.from_tensor_slices((x_train, y_train))
train = train.shuffle(60_000).repeat(EPOCHS)
train = train.map(
    lambda image, label: (tf.cast(image, tf.float32) / 255.0, label),
    num_parallel_calls=tf.data.AUTOTUNE,
)
train = train.batch(BATCH_SIZE).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((28, 28)),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, steps_per_epoch=steps, epochs=EPOCHS)
