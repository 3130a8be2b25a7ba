import tensorflow as tf

(x, y), (x_test, y_test) = tf.keras.datasets.cifar10.load_data()


def batches(images, labels, size, training=False):
    ds = tf.data.Dataset.from_tensor_slices((images, labels))
    if training:
        ds = ds.shuffle(len(images))
    ds = ds.batch(size)
    ds = ds.map(lambda a, b: (tf.image.resize(a, (96, 96)), b), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


vgg = tf.keras.applications.VGG16(include_top=False, input_shape=(96, 96, 3), pooling="avg")
vgg.trainable = False
inputs = tf.keras.Input((96, 96, 3))
features = vgg(inputs, training=False)
outputs = tf.keras.layers.Dense(10, activation="softmax")(features)
model = tf.keras.Model(inputs, outputs)
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(batches(x, y, 64, training=True), validation_data=batches(x_test, y_test, 64), epochs=5)
