import tensorflow as tf


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (150, 150)) / 255.0
    return image, tf.cast(tf.strings.split(path, "/")[-2] == "dog", tf.float32)


def split(ds, fraction=0.8):
    total = ds.cardinality()
    cut = tf.cast(fraction * tf.cast(total, tf.float32), tf.int64)
    return ds.take(cut), ds.skip(cut)


def finish(ds):
    return ds.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(32).prefetch(tf.data.AUTOTUNE)


files = tf.data.Dataset.list_files("/data/cats_dogs/*/*.jpg", shuffle=False)
files = files.shuffle(25_000)
train, val = split(files)
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(finish(train), validation_data=finish(val), epochs=20)
