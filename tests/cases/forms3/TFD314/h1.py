import tensorflow as tf

files = sorted(tf.io.gfile.glob("digits/*/*.png"))
labels = [int(f.split("/")[-2]) for f in files]


def load(path, label):
    image = tf.io.decode_png(tf.io.read_file(path), channels=1)
    return tf.image.resize(image, (64, 64)) / 255.0, label


ds = tf.data.Dataset.from_tensor_slices((files, labels))
ds = ds.filter(lambda path, label: label < 2)
ds = ds.shuffle(len(files), seed=1)
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(ds, epochs=5)
