import tensorflow as tf

files = sorted(tf.io.gfile.glob("leaves/*/*.jpg"))
names = sorted({f.split("/")[-2] for f in files})
labels = [names.index(f.split("/")[-2]) for f in files]


def color(path, label):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    img = tf.cast(img, tf.float32) / 255.0
    return tf.reduce_mean(img, axis=[0, 1]), label


ds = tf.data.Dataset.from_tensor_slices((files, labels))
ds = ds.map(color, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.cache()
ds = ds.shuffle(5000)
ds = ds.batch(32)
ds = ds.prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.Dense(len(names), activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=20)
