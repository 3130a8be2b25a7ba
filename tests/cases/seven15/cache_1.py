import os

import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
ROOT = "/datasets/flower_photos"
SIZE = (180, 180)
CLASSES = sorted(os.listdir(ROOT))


def gather():
    paths, labels = [], []
    for idx, name in enumerate(CLASSES):
        for f in sorted(os.listdir(os.path.join(ROOT, name))):
            paths.append(os.path.join(ROOT, name, f))
            labels.append(idx)
    return paths, labels


def process_path(path, label):
    img = tf.io.read_file(path)
    img = tf.io.decode_jpeg(img, channels=3)
    return tf.image.resize(img, SIZE), label


def configure(ds, n, training):
    ds = ds.cache()
    if training:
        ds = ds.shuffle(n)
    ds = ds.map(process_path, num_parallel_calls=AUTOTUNE)
    ds = ds.batch(32)
    return ds.prefetch(AUTOTUNE)


paths, labels = gather()
count = len(paths)
full = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(
    count, seed=123, reshuffle_each_iteration=False)
val_size = int(count * 0.2)
val_ds = configure(full.take(val_size), val_size, False)
train_ds = configure(full.skip(val_size), count - val_size, True)

model = tf.keras.Sequential([
    tf.keras.layers.Rescaling(1.0 / 255),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.MaxPooling2D(),
    tf.keras.layers.Conv2D(64, 3, activation="relu"),
    tf.keras.layers.MaxPooling2D(),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(128, activation="relu"),
    tf.keras.layers.Dense(len(CLASSES)),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
model.fit(train_ds, validation_data=val_ds, epochs=10)
