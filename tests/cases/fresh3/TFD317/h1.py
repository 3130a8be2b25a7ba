import tensorflow as tf


def load(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=1)
    return tf.image.resize(image, (128, 128)) / 255.0, label


files = sorted(tf.io.gfile.glob("xray/*/*.jpg"))
labels = [int("/sick/" in f) for f in files]
n_val = len(files) // 5

paths = tf.data.Dataset.from_tensor_slices((files, labels))
paths = paths.shuffle(len(files), seed=5, reshuffle_each_iteration=False)
held, rest = paths.take(n_val), paths.skip(n_val)
val = held.map(load, num_parallel_calls=tf.data.AUTOTUNE).cache()
train = rest.map(load, num_parallel_calls=tf.data.AUTOTUNE).cache()
train = train.shuffle(1000).batch(16).prefetch(tf.data.AUTOTUNE)
val = val.batch(16).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(train, validation_data=val, epochs=10)
