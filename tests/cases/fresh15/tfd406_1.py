import glob
import os

import tensorflow as tf

BATCH = 48
EPOCHS = 30
BREEDS = sorted(os.listdir("/data/cats/train"))


def decode(path, breed):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (240, 240)), breed


def cats(split):
    paths, breeds = [], []
    for i, breed in enumerate(BREEDS):
        found = glob.glob(os.path.join("/data/cats", split, breed, "*.jpg"))
        paths.extend(found)
        breeds.extend([i] * len(found))
    ds = tf.data.Dataset.from_tensor_slices((paths, breeds))
    if split == "train":
        ds = ds.shuffle(len(paths))
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(BATCH).prefetch(tf.data.AUTOTUNE)


def main():
    train, test = cats("train"), cats("test")
    steps = len(list(train))
    schedule = tf.keras.optimizers.schedules.CosineDecay(1e-3, steps * EPOCHS)

    base = tf.keras.applications.EfficientNetB1(include_top=False, pooling="avg")
    model = tf.keras.Sequential([base, tf.keras.layers.Dense(len(BREEDS), activation="softmax")])
    model.compile(
        optimizer=tf.keras.optimizers.Adam(schedule),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    model.fit(train, validation_data=test, epochs=EPOCHS)


if __name__ == "__main__":
    main()
