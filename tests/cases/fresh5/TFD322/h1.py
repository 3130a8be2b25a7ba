import pathlib

import tensorflow as tf

paths, labels = [], []
for folder in sorted(pathlib.Path("/data/signs/train").iterdir()):
    for path in sorted(folder.glob("*.png")):
        paths.append(str(path))
        labels.append(int(folder.name))


def load(path, label):
    image = tf.io.decode_png(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (128, 128)) / 255.0, label


ds = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths))
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(32).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(43),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=15)
