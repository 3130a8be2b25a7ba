import tensorflow as tf

STORE = "/scratch/prepared"


def decode(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (160, 160)) / 255.0
    return image, tf.cast(tf.strings.split(path, "/")[-2] == "dog", tf.float32)


def prepare(pattern):
    ds = tf.data.Dataset.list_files(pattern, shuffle=False)
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
    ds.save(STORE, compression="GZIP")


def training_data(batch_size):
    ds = tf.data.Dataset.load(STORE)
    return ds.shuffle(500).batch(batch_size).prefetch(tf.data.AUTOTUNE)


prepare("/data/cats_dogs/*/*.jpg")
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(training_data(32), epochs=10)
