"""Kitchen scenes: deterministic part cached, random part after it."""
import argparse
import os

import tensorflow as tf


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--root", default="/data/kitchens")
    p.add_argument("--cache_dir", default="/nvme/cache")
    p.add_argument("--epochs", type=int, default=80)
    return p.parse_args()


def deterministic(path, label):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    img = tf.image.resize(img, [288, 288], antialias=True)
    return tf.cast(img, tf.uint8), label


def erase(img, label):
    """Random erasing: box size differs by image, so it stays per element."""
    side = tf.random.uniform([], 32, 96, tf.int32)
    top = tf.random.uniform([], 0, 256 - side, tf.int32)
    left = tf.random.uniform([], 0, 256 - side, tf.int32)
    crop = tf.image.random_crop(img, [256, 256, 3])
    hole = tf.pad(tf.ones([side, side, 1], tf.uint8),
                  [[top, 256 - top - side], [left, 256 - left - side], [0, 0]])
    return crop * (1 - tf.ensure_shape(hole, [256, 256, 1])), label


def materialise(name, cache_dir):
    def fn(ds):
        return ds.map(deterministic, num_parallel_calls=tf.data.AUTOTUNE).cache(os.path.join(cache_dir, name))
    return fn


def main(args):
    classes = sorted(os.listdir(args.root))
    pairs = [(os.path.join(args.root, c, f), i)
             for i, c in enumerate(classes) for f in os.listdir(os.path.join(args.root, c))]
    paths, labels = map(list, zip(*pairs))
    train = (tf.data.Dataset.from_tensor_slices((paths, labels))
             .apply(materialise("kitchen_train", args.cache_dir))
             .shuffle(4000)
             .map(erase, num_parallel_calls=tf.data.AUTOTUNE)
             .batch(64)
             .prefetch(tf.data.AUTOTUNE))
    model = tf.keras.Sequential([
        tf.keras.layers.Rescaling(1 / 255.0),
        tf.keras.applications.ResNet50V2(include_top=False, weights=None, pooling="avg"),
        tf.keras.layers.Dense(len(classes), activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(train, epochs=args.epochs)


if __name__ == "__main__":
    main(parse_args())
