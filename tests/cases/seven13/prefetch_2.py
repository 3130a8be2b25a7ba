# Plant disease leaves: build (train, val) and train EfficientNet.
import glob
import os
import random

import tensorflow as tf

ROOT = os.environ.get("LEAF_ROOT", "/data/plantvillage")
SIZE = 260
AUTOTUNE = tf.data.AUTOTUNE


def load(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (SIZE, SIZE))
    return tf.cast(image, tf.uint8), label


def get_datasets(batch_size, val_fraction=0.1, seed=17):
    classes = sorted(os.listdir(ROOT))
    files = [(f, i) for i, c in enumerate(classes) for f in glob.glob(f"{ROOT}/{c}/*.JPG")]
    random.Random(seed).shuffle(files)
    cut = int(len(files) * val_fraction)

    def decoded(pairs, cache_name):
        paths, labels = zip(*pairs)
        ds = tf.data.Dataset.from_tensor_slices((list(paths), list(labels)))
        return ds.map(load, num_parallel_calls=AUTOTUNE).cache(f"/scratch/{cache_name}")

    train = (
        decoded(files[cut:], "leaf_train")
        .shuffle(5000)
        .prefetch(AUTOTUNE)
        .batch(batch_size, drop_remainder=True)
    )
    val = decoded(files[:cut], "leaf_val").batch(batch_size).prefetch(AUTOTUNE)
    return (train, val), len(classes)


(train_ds, val_ds), n_classes = get_datasets(96)

model = tf.keras.Sequential([
    tf.keras.layers.RandomFlip() if hasattr(tf.keras.layers, "RandomFlip")
    else tf.keras.layers.experimental.preprocessing.RandomFlip(),
    tf.keras.applications.EfficientNetB2(include_top=False, weights="imagenet", pooling="avg"),
    tf.keras.layers.Dense(n_classes, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train_ds, validation_data=val_ds, epochs=40,
          callbacks=[tf.keras.callbacks.ReduceLROnPlateau(patience=2)])
