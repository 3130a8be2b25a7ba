import tensorflow as tf


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (256, 256), preserve_aspect_ratio=True)
    return image / 255.0, tf.cast(tf.strings.split(path, "/")[-2] == "oil", tf.float32)


ds = tf.data.Dataset.list_files("/data/paintings/*/*.jpg")
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.padded_batch(16, padded_shapes=((256, 256, 3), ()))
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(ds, epochs=10)
