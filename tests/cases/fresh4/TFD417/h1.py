import tensorflow as tf

(x_train, y_train), (x_test, y_test) = tf.keras.datasets.fashion_mnist.load_data()


def scale(image, label):
    return tf.cast(image, tf.float32) / 255.0, label


def of_classes(*classes):
    ds = tf.data.Dataset.from_tensor_slices((x_train, y_train))
    ds = ds.filter(lambda image, label: tf.reduce_any(label == tf.constant(classes, tf.uint8)))
    return ds.shuffle(10_000).repeat()


sources = [of_classes(0, 1, 2), of_classes(3, 4, 5, 6), of_classes(7, 8, 9)]
train = tf.data.Dataset.sample_from_datasets(sources, weights=[0.5, 0.25, 0.25])
train = train.map(scale, num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(64).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((28, 28)),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, epochs=5, steps_per_epoch=500)
