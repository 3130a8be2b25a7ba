import tensorflow as tf

HOLDOUT = 5000

(x_train, y_train), _ = tf.keras.datasets.cifar10.load_data()


def make(images, labels, training):
    ds = tf.data.Dataset.from_tensor_slices((images, labels))
    if training:
        ds = ds.shuffle(len(images))
    ds = ds.map(
        lambda image, label: (tf.cast(image, tf.float32) / 255.0, label),
        num_parallel_calls=tf.data.AUTOTUNE,
    )
    return ds.batch(128).prefetch(tf.data.AUTOTUNE)


train_ds = make(x_train[:-HOLDOUT], y_train[:-HOLDOUT], training=True)
valid_ds = make(x_train[-HOLDOUT:], y_train[-HOLDOUT:], training=False)

model = tf.keras.Sequential([
    tf.keras.Input((32, 32, 3)),
    tf.keras.layers.Conv2D(64, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train_ds, validation_data=valid_ds, epochs=30)
