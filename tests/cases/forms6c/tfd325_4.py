import functools

import tensorflow as tf
from tensorflow.data import AUTOTUNE, Dataset

CFG = dict(classes=150, size=512, batch=8, cache_file="/ssd/ade20k/train.cache")


def load(image_path, mask_path, size):
    image = tf.io.decode_jpeg(tf.io.read_file(image_path), channels=3)
    image = tf.cast(tf.image.resize(image, [size, size]), tf.uint8)
    mask = tf.io.decode_png(tf.io.read_file(mask_path), channels=1)
    mask = tf.image.resize(mask, [size, size], method="nearest")
    return image, tf.squeeze(mask, -1)


def encode_mask(image, mask, classes):
    return image, tf.one_hot(mask, classes)


def build(image_paths, mask_paths, cfg):
    load_fn = functools.partial(load, size=cfg["size"])
    encode_fn = functools.partial(encode_mask, classes=cfg["classes"])
    ds = Dataset.from_tensor_slices((image_paths, mask_paths))
    ds = ds.map(load_fn, num_parallel_calls=AUTOTUNE)
    if cfg["cache_file"]:
        ds = ds.cache(filename=cfg["cache_file"])
    ds = ds.shuffle(512).batch(cfg["batch"], drop_remainder=True)
    ds = ds.map(encode_fn, num_parallel_calls=AUTOTUNE)
    return ds.prefetch(AUTOTUNE)


def main(image_paths, mask_paths):
    model = tf.keras.Sequential([
        tf.keras.Input((CFG["size"], CFG["size"], 3)),
        tf.keras.layers.Rescaling(1 / 255),
        tf.keras.layers.Conv2D(64, 3, strides=2, padding="same", activation="relu"),
        tf.keras.layers.Conv2D(128, 3, padding="same", activation="relu"),
        tf.keras.layers.Conv2DTranspose(CFG["classes"], 4, strides=2, padding="same"),
    ])
    model.compile("adam", tf.keras.losses.CategoricalCrossentropy(from_logits=True))
    model.fit(build(image_paths, mask_paths, CFG), epochs=80)
