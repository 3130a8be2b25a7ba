import os

import tensorflow as tf

FOLDER = "scans"

files, labels = [], []
for name in os.listdir(FOLDER):
    if name.endswith(".png"):
        files.append(os.path.join(FOLDER, name))
        labels.append(int(name.rsplit("_", 1)[1][0]))


def load(path, label):
    image = tf.io.decode_png(tf.io.read_file(path), channels=1)
    return tf.image.resize(image, (96, 96)) / 255.0, label


train = tf.data.Dataset.from_tensor_slices((files, labels))
train = train.shuffle(len(files))
train = train.map(load, num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((96, 96, 1)),
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(4, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, epochs=15)
