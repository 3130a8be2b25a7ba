import tensorflow as tf

REPEATS = 10


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (256, 256)) / 255.0
    return image, tf.cast(tf.strings.split(path, "/")[-2] == "ill", tf.float32)


def copies(path):
    return tf.data.Dataset.from_tensors(path).repeat(REPEATS)


def augment(image, label):
    image = tf.image.random_crop(image, (224, 224, 3))
    return tf.image.random_flip_left_right(image), label


ds = tf.data.Dataset.list_files("/data/leaves/*/*.jpg")
ds = ds.flat_map(copies)
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(256)
ds = ds.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, strides=2, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(ds, epochs=3)
