import tensorflow as tf

(x, y), _ = tf.keras.datasets.cifar100.load_data()


def augment(image, label):
    image = tf.cast(image, tf.float32) / 255.0
    image = tf.image.random_flip_left_right(image)
    return image, label


ds = (
    tf.data.Dataset.from_tensor_slices((x, y))
    .shuffle(50000)
    .batch(128)
    .map(augment, num_parallel_calls=tf.data.AUTOTUNE)
    .prefetch(tf.data.AUTOTUNE)
)
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(64, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(100, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=30)
