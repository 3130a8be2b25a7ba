import tensorflow as tf


def load(path):
    image = tf.io.decode_image(tf.io.read_file(path), channels=3)
    image.set_shape([None, None, 3])
    image = tf.image.resize(image, (128, 128)) / 255.0
    label = tf.cast(tf.strings.regex_full_match(path, ".*positive.*"), tf.float32)
    return image, label


train = tf.data.Dataset.list_files("slides/*")
train = train.map(load, num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((128, 128, 3)),
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(train, epochs=10)
