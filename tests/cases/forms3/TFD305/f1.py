import tensorflow as tf

(x, y), _ = tf.keras.datasets.fashion_mnist.load_data()
ds = tf.data.Dataset.from_tensor_slices((x, y))
ds = ds.shuffle(60000, seed=9)
ds = ds.map(lambda a, b: (tf.cast(a, tf.float32) / 255.0, b), num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(256)
ds = ds.prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(128, activation="relu"),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(ds, epochs=5)
