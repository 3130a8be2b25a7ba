import glob

import tensorflow as tf

paths, labels = [], []
for path in sorted(glob.glob("fruit/*/*.jpg")):
    paths.append(path)
    labels.append(int(path.split("/")[-2]))


def load(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (100, 100)) / 255.0, label


ds = tf.data.Dataset.from_tensor_slices((paths, labels))
ds = ds.shuffle(len(labels), seed=0)
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=10)
