import tensorflow as tf


def load(path, label):
    data = tf.io.read_file(path)
    image = tf.io.decode_jpeg(data, channels=3)
    return tf.image.resize(image, (224, 224)) / 255.0, label


paths = tf.io.gfile.glob("gs://my-bucket/cats_dogs/*/*.jpg")
labels = [float(p.split("/")[-2] == "dog") for p in paths]
ds = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths))
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(64).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(ds, epochs=20)
