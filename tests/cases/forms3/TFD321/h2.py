import tensorflow as tf

(x, y), _ = tf.keras.datasets.cifar10.load_data()
rotate = tf.keras.layers.RandomRotation(0.1)


def augment(image, label):
    image = tf.image.resize_with_crop_or_pad(image, 40, 40)
    image = tf.image.random_crop(image, (32, 32, 3))
    image = tf.image.random_flip_left_right(image)
    image = rotate(tf.cast(image, tf.float32), training=True)
    return image / 255.0, label


ds = tf.data.Dataset.from_tensor_slices((x, y))
ds = ds.shuffle(len(x))
ds = ds.repeat(30)
ds = ds.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(128)
ds = ds.prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds)
