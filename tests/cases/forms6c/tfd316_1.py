import pathlib

import tensorflow as tf
import tensorflow_datasets as tfds

CACHE_DIR = pathlib.Path("/scratch/cache/oxford_pets")


def preprocess(example):
    image = tf.image.resize(example["image"], [160, 160])
    return tf.cast(image, tf.uint8), example["label"]


def build_datasets(splits, batch_size):
    datasets = {}
    for name, spec in splits.items():
        ds = tfds.load("oxford_iiit_pet", split=spec, shuffle_files=(name == "train"))
        ds = ds.map(preprocess, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.cache(str(CACHE_DIR / "images"))
        if name == "train":
            ds = ds.shuffle(4000)
        datasets[name] = ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)
    return datasets


def main():
    CACHE_DIR.mkdir(parents=True, exist_ok=True)
    data = build_datasets({"train": "train", "val": "test[:50%]", "test": "test[50%:]"}, 64)
    model = tf.keras.applications.MobileNetV3Small(
        input_shape=(160, 160, 3), weights=None, classes=37)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(data["train"], validation_data=data["val"], epochs=20)
    print(model.evaluate(data["test"], return_dict=True))


if __name__ == "__main__":
    main()
