"""Pet segmentation; Python generators only list files, TensorFlow ops read them."""
import os
from typing import Iterator, Tuple

import tensorflow as tf


def iter_pairs(root: str, split_file: str) -> Iterator[Tuple[str, str]]:
    with open(os.path.join(root, "annotations", split_file)) as f:
        for line in f:
            name = line.split()[0]
            yield (os.path.join(root, "images", name + ".jpg"),
                   os.path.join(root, "annotations", "trimaps", name + ".png"))


def load_pair(image_path, mask_path):
    image = tf.io.decode_jpeg(tf.io.read_file(image_path), channels=3)
    mask = tf.io.decode_png(tf.io.read_file(mask_path), channels=1)
    image = tf.image.resize(image, [256, 256])
    mask = tf.image.resize(mask, [256, 256], method="nearest")
    return tf.cast(image, tf.uint8), mask - 1


def dataset_from(generator, batch, training):
    images, masks = map(list, zip(*generator))
    ds = tf.data.Dataset.from_tensor_slices((images, masks))
    ds = ds.map(load_pair, num_parallel_calls=tf.data.AUTOTUNE).cache()
    if training:
        ds = ds.shuffle(len(images)).repeat()
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


def unet():
    inp = tf.keras.Input([256, 256, 3])
    x, skips = tf.keras.layers.Rescaling(1 / 255.0)(inp), []
    for f in (32, 64, 128):
        x = tf.keras.layers.Conv2D(f, 3, padding="same", activation="relu")(x)
        skips.append(x)
        x = tf.keras.layers.MaxPooling2D()(x)
    for f, s in zip((128, 64, 32), reversed(skips)):
        x = tf.keras.layers.Conv2DTranspose(f, 2, strides=2)(x)
        x = tf.keras.layers.Conv2D(f, 3, padding="same", activation="relu")(
            tf.keras.layers.Concatenate()([x, s]))
    return tf.keras.Model(inp, tf.keras.layers.Conv2D(3, 1)(x))


if __name__ == "__main__":
    root = os.environ.get("PETS", "/data/oxford_pets")
    train = dataset_from(iter_pairs(root, "trainval.txt"), 32, True)
    test = dataset_from(iter_pairs(root, "test.txt"), 32, False)
    model = unet()
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(train, validation_data=test, epochs=80, steps_per_epoch=115)
