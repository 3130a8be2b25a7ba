import pathlib

import tensorflow as tf

ROOT = pathlib.Path("/data/waste")
CLASSES = sorted(p.name for p in (ROOT / "train").iterdir())
SIDE = 160


def listing(split):
    paths, labels = [], []
    for k, name in enumerate(CLASSES):
        for p in sorted((ROOT / split / name).glob("*.jpg")):
            paths.append(str(p))
            labels.append(k)
    return paths, labels


def read(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, [SIDE, SIDE])
    return image, label


def data(split):
    paths, labels = listing(split)
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    if split == "train":
        ds = ds.shuffle(len(paths))
    ds = ds.map(read, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(64).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.Input((SIDE, SIDE, 3)),
    tf.keras.layers.Conv2D(32, 3, activation="tanh"),
    tf.keras.layers.MaxPooling2D(),
    tf.keras.layers.Conv2D(64, 3, activation="tanh"),
    tf.keras.layers.MaxPooling2D(),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(128, activation="tanh"),
    tf.keras.layers.Dense(len(CLASSES), activation="softmax"),
])
model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(data("train"), validation_data=data("test"), epochs=30)
