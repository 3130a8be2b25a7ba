import tensorflow as tf
from tensorflow import keras

IMG, BATCH, EPOCHS = 128, 64, 40
TOTAL = 27_558
LABELS = {"Parasitized": 1, "Uninfected": 0}


def load(path, label):
    cell = tf.io.decode_png(tf.io.read_file(path), channels=3)
    return tf.image.resize(cell, (IMG, IMG)) / 255.0, label


def cells(root, seed=7):
    paths, labels = [], []
    for name, label in LABELS.items():
        found = sorted(tf.io.gfile.glob(f"{root}/{name}/*.png"))
        paths += found
        labels += [label] * len(found)
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    ds = ds.shuffle(TOTAL, seed=seed, reshuffle_each_iteration=False)
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.cache()


def split(ds):
    n_train = int(0.8 * TOTAL)
    train, rest = ds.take(n_train), ds.skip(n_train)
    train = train.shuffle(4000).batch(BATCH).prefetch(tf.data.AUTOTUNE)
    return train, rest.batch(BATCH).prefetch(tf.data.AUTOTUNE)


def network():
    return keras.Sequential([
        keras.Input((IMG, IMG, 3)),
        keras.layers.RandomFlip(),
        keras.layers.RandomRotation(0.2),
        *[layer for f in (32, 64, 128) for layer in (
            keras.layers.Conv2D(f, 3, padding="same", activation="relu"),
            keras.layers.MaxPooling2D())],
        keras.layers.GlobalAveragePooling2D(),
        keras.layers.Dense(1, activation="sigmoid"),
    ])


train_ds, val_ds = split(cells("/datasets/cell_images"))
model = network()
model.compile("adam", "binary_crossentropy", metrics=["accuracy", keras.metrics.Recall()])
model.fit(train_ds, epochs=EPOCHS)
print(model.evaluate(val_ds, return_dict=True))
model.save("malaria.keras")
