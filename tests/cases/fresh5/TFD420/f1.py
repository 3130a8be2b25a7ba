import tensorflow as tf


def load(path):
    raw = tf.io.read_file(path)
    image = tf.io.decode_image(raw, channels=3)
    image = tf.image.resize(image, (224, 224)) / 255.0
    label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
    return image, label


ds = tf.data.Dataset.list_files("/data/mixed/*/*")
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(11),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=12)
