import tensorflow as tf

SIDE = 96


def load(path):
    planes = tf.io.decode_raw(tf.io.read_file(path), tf.uint8)
    planes = tf.reshape(planes, (3, SIDE, SIDE))
    image = tf.transpose(planes, (1, 2, 0))
    return tf.cast(image, tf.float32) / 255.0, tf.cast(tf.strings.split(path, "/")[-2] == "dog", tf.float32)


ds = tf.data.Dataset.list_files("/data/planar/*/*.bin")
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(64).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.Input((SIDE, SIDE, 3)),
    tf.keras.layers.Conv2D(32, 3, activation="relu", data_format="channels_last"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(ds, epochs=20)
