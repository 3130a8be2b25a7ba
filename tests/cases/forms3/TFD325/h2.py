import tensorflow as tf

files = sorted(tf.io.gfile.glob("stamps/*/*.jpg"))
names = sorted({f.split("/")[-2] for f in files})
labels = [names.index(f.split("/")[-2]) for f in files]


def load(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (96, 96)) / 255.0, label


ds = tf.data.Dataset.from_tensor_slices((files, labels))
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.cache()
ds = ds.shuffle(1000).batch(32)
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(len(names), activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=20)
