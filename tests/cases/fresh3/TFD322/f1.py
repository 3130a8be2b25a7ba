import tensorflow as tf


def load(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (72, 72))
    return tf.keras.applications.mobilenet_v2.preprocess_input(image)


paths = sorted(tf.io.gfile.glob("icons/*/*.png"))
names = sorted({p.split("/")[-2] for p in paths})
images = tf.stack(list(map(load, paths)))
labels = [names.index(p.split("/")[-2]) for p in paths]

ds = tf.data.Dataset.from_tensor_slices((images, labels))
ds = ds.shuffle(len(paths), seed=0).batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(len(names), activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=15)
