import tensorflow as tf


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (128, 128)) / 255.0
    label = tf.cast(tf.strings.split(path, "/")[-2] == "defect", tf.int32)
    return image, label


base = tf.data.Dataset.list_files("/data/parts/*/*.jpg")
base = base.map(load, num_parallel_calls=tf.data.AUTOTUNE)
positive = base.filter(lambda x, y: y == 1).repeat()
negative = base.filter(lambda x, y: y == 0).repeat()
balanced = tf.data.Dataset.sample_from_datasets([positive, negative], weights=[0.5, 0.5])
balanced = balanced.batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, strides=2, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(balanced, steps_per_epoch=500, epochs=10)
