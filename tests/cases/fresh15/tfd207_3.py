import argparse
import functools
import glob

import tensorflow as tf

tf.random.set_seed(2021)

AUGMENTATIONS = {
    "flip": functools.partial(tf.image.random_flip_up_down, seed=11),
    "hue": functools.partial(tf.image.random_hue, max_delta=0.08, seed=12),
    "contrast": functools.partial(tf.image.random_contrast, lower=0.7, upper=1.3, seed=13),
}


def parse(record):
    ex = tf.io.parse_single_example(
        record,
        {
            "tile": tf.io.FixedLenFeature([], tf.string),
            "landuse": tf.io.FixedLenFeature([], tf.int64),
        },
    )
    tile = tf.io.decode_png(ex["tile"], channels=3)
    tile = tf.ensure_shape(tile, (128, 128, 3))
    return tf.image.convert_image_dtype(tile, tf.float32), ex["landuse"]


def distort(names):
    ops = [AUGMENTATIONS[n] for n in names]

    def apply(tile, landuse):
        for op in ops:
            tile = op(tile)
        return tf.clip_by_value(tile, 0.0, 1.0), landuse

    return apply


def tiles(pattern, augment, batch_size):
    files = glob.glob(pattern)
    ds = tf.data.Dataset.from_tensor_slices(files)
    ds = ds.shuffle(len(files))
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(10_000)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(distort(augment), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--augment", nargs="+", default=["flip", "hue", "contrast"])
    parser.add_argument("--epochs", type=int, default=60)
    args = parser.parse_args()

    base = tf.keras.applications.ResNet50V2(include_top=False, pooling="avg")
    model = tf.keras.Sequential([base, tf.keras.layers.Dense(21, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(tiles("/data/sat/train-*.tfrecord", args.augment, 64), epochs=args.epochs)


if __name__ == "__main__":
    main()
