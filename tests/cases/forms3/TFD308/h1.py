import tensorflow as tf

files = sorted(tf.io.gfile.glob("food/*/*.jpg"))
names = sorted({f.split("/")[-2] for f in files})
labels = [names.index(f.split("/")[-2]) for f in files]


def load(path, label):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(img, [299, 299]) / 255.0, label


def training_set(batch):
    ds = tf.data.Dataset.from_tensor_slices((files, labels))
    shuffled = ds.shuffle(len(files))
    decoded = shuffled.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return decoded.batch(batch).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(len(names), activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(training_set(32), epochs=3)
