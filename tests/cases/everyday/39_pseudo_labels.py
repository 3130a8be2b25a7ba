from pathlib import Path

import numpy as np
import tensorflow as tf

ROOT = Path("data/xview")
SIZE = (96, 96)
CONFIDENCE = 0.95
class_names = sorted(p.name for p in (ROOT / "labelled").iterdir() if p.is_dir())


def read_image(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, SIZE) / 255.0


def read_labelled(path, label):
    return read_image(path), label


def labelled_dataset(paths, labels):
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    ds = ds.shuffle(len(paths))
    ds = ds.map(read_labelled)
    return ds.batch(64)


def unlabelled_dataset(paths):
    return tf.data.Dataset.from_tensor_slices(paths).map(read_image).batch(256)


def new_model():
    model = tf.keras.Sequential(
        [
            tf.keras.layers.Conv2D(32, 3, activation="relu", input_shape=(*SIZE, 3)),
            tf.keras.layers.MaxPooling2D(),
            tf.keras.layers.Conv2D(64, 3, activation="relu"),
            tf.keras.layers.GlobalAveragePooling2D(),
            tf.keras.layers.Dense(len(class_names), activation="softmax"),
        ]
    )
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


paths, labels = [], []
for index, name in enumerate(class_names):
    for path in sorted((ROOT / "labelled" / name).glob("*.png")):
        paths.append(str(path))
        labels.append(index)
pool = np.array(sorted(str(p) for p in (ROOT / "unlabelled").glob("*.png")))

for round_number in range(3):
    model = new_model()
    model.fit(labelled_dataset(paths, labels), epochs=10, verbose=2)
    probabilities = model.predict(unlabelled_dataset(pool))
    sure = probabilities.max(axis=1) > CONFIDENCE
    paths.extend(pool[sure])
    labels.extend(probabilities[sure].argmax(axis=1))
    pool = pool[~sure]
    print(f"round {round_number}: {sure.sum()} new labels, {len(pool)} left")
    if len(pool) == 0:
        break
model.save("xview")
