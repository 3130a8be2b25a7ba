import tensorflow as tf

STORE = "/scratch/prepared"
KIND = "GZIP"


def decode(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (160, 160)) / 255.0
    return image, tf.cast(tf.strings.split(path, "/")[-2] == "dog", tf.float32)


ds = tf.data.Dataset.list_files("/data/cats_dogs/*/*.jpg", shuffle=False)
ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
ds.save(STORE, compression=KIND)

train = tf.data.Dataset.load(STORE, compression="GZIP")
train = train.shuffle(500).batch(32).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(train, epochs=10)
