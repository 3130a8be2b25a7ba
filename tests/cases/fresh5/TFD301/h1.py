import tensorflow as tf


def decode(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (160, 160)) / 255.0
    return image, tf.cast(tf.strings.split(path, "/")[-2] == "cat", tf.int32)


def augment(image, label):
    image = tf.image.random_flip_left_right(image)
    image = tf.image.random_brightness(image, 0.2)
    return image, label


ds = tf.data.Dataset.list_files("/data/pets/*/*.jpg", seed=3)
ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE).cache("/scratch/pets")
ds = ds.shuffle(2000).map(augment, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(64).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, strides=2, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(2),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=20)
