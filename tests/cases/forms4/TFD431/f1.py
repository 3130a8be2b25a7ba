import tensorflow as tf


def prepare(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (224, 224)) / 255.0
    label = tf.cast(tf.strings.regex_full_match(path, ".*malignant.*"), tf.float32)
    return image, label


train = tf.data.Dataset.list_files("skin/*/*.jpg")
train = train.map(prepare, num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(32).prefetch(tf.data.AUTOTUNE)

base = tf.keras.applications.EfficientNetB0(include_top=False, pooling="avg")
base.trainable = False
model = tf.keras.Sequential([
    tf.keras.Input((224, 224, 3)),
    base,
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=["AUC"])
model.fit(train, epochs=8)
