import tensorflow as tf


def load(index, path):
    seed = tf.stack([tf.constant(5, tf.int64), index])
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.stateless_random_flip_left_right(image, seed=seed)
    image = tf.image.resize(image, (224, 224)) / 255.0
    return image, tf.cast(tf.strings.split(path, "/")[-2] == "dog", tf.float32)


paths = sorted(tf.io.gfile.glob("/data/cats_dogs/*/*.jpg"))
ds = tf.data.Dataset.from_tensor_slices(paths).enumerate()
ds = ds.shuffle(len(paths))
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(64).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(ds, epochs=20)
