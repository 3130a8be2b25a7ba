import tensorflow as tf


def load(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (128, 128)) / 255.0, label


def folder(name, label):
    paths = tf.data.Dataset.list_files(f"/data/parts/{name}/*.jpg")
    return paths.map(lambda p: (p, label), num_parallel_calls=tf.data.AUTOTUNE).repeat()


balanced = tf.data.Dataset.sample_from_datasets([folder("defect", 1), folder("good", 0)], [0.5, 0.5])
balanced = balanced.map(load, num_parallel_calls=tf.data.AUTOTUNE)
balanced = balanced.batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, strides=2, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(balanced, steps_per_epoch=500, epochs=10)
