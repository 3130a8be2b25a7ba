import tensorflow as tf

AUTO = tf.data.AUTOTUNE


def decode(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    label = tf.strings.regex_full_match(path, ".*/good/.*")
    return tf.image.resize(image, (120, 120)) / 255.0, tf.cast(label, tf.float32)


train = tf.data.Dataset.list_files("parts/train/*/*.jpg", shuffle=False)
train = train.map(decode, num_parallel_calls=AUTO).cache("/tmp/parts_cache")
train = train.shuffle(2000).batch(32).prefetch(AUTO)

val = tf.data.Dataset.list_files("parts/val/*/*.jpg", shuffle=False)
val = val.map(decode, num_parallel_calls=AUTO).cache("/tmp/parts_cache")
val = val.batch(32).prefetch(AUTO)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(train, validation_data=val, epochs=10)
