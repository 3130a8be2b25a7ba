import glob
import os

import tensorflow as tf

FLOWERS = ["daisy", "dandelion", "roses", "sunflowers", "tulips"]
SIZE = (180, 180)


def process_path(path, label):
    data = tf.io.read_file(path)
    image = tf.io.decode_jpeg(data, channels=3)
    image = tf.image.resize(image, SIZE, method="lanczos3", antialias=True)
    return image / 255.0, label


def list_images(root):
    paths, labels = [], []
    for number, flower in enumerate(FLOWERS):
        for path in sorted(glob.glob(os.path.join(root, flower, "*.jpg"))):
            paths.append(path)
            labels.append(number)
    return paths, labels


def configure(ds, training, count):
    ds = ds.cache()
    if training:
        ds = ds.shuffle(count)
    ds = ds.map(process_path, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(32).prefetch(tf.data.AUTOTUNE)


def flowers(split):
    paths, labels = list_images(f"/data/flower_photos/{split}")
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    return configure(ds, split == "train", len(paths))


def main():
    model = tf.keras.Sequential(
        [
            tf.keras.Input(SIZE + (3,)),
            tf.keras.layers.Conv2D(32, 3, activation="relu"),
            tf.keras.layers.MaxPooling2D(),
            tf.keras.layers.Conv2D(64, 3, activation="relu"),
            tf.keras.layers.MaxPooling2D(),
            tf.keras.layers.Flatten(),
            tf.keras.layers.Dense(128, activation="relu"),
            tf.keras.layers.Dense(len(FLOWERS)),
        ]
    )
    model.compile(
        optimizer="adam",
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    model.fit(flowers("train"), validation_data=flowers("val"), epochs=15)


if __name__ == "__main__":
    main()
