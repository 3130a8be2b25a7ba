import argparse
import functools

import keras
import tensorflow as tf

DECODERS = {
    "jpeg": functools.partial(tf.io.decode_jpeg, channels=3),
    "png": functools.partial(tf.io.decode_png, channels=3),
    "any": functools.partial(tf.io.decode_image, channels=3),
}


def read_pair(path, label, decode, transform):
    image = decode(tf.io.read_file(path))
    return transform(image), label


def read_index(path):
    with open(path) as handle:
        rows = [line.rstrip("\n").split("\t") for line in handle]
    return [row[0] for row in rows], [float(row[1]) for row in rows]


def build(index, args, training):
    paths, scores = read_index(index)
    transform = keras.Sequential([keras.layers.Resizing(256, 256), keras.layers.Rescaling(1 / 255)])
    ds = tf.data.Dataset.from_tensor_slices((paths, scores))
    if training:
        ds = ds.shuffle(len(paths))
    read = functools.partial(read_pair, decode=DECODERS["any"], transform=transform)
    ds = ds.map(read, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(args.batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--train_index", required=True)
    parser.add_argument("--val_index", required=True)
    parser.add_argument("--batch_size", type=int, default=32)
    args = parser.parse_args()

    train_ds = build(args.train_index, args, training=True)
    val_ds = build(args.val_index, args, training=False)
    base = keras.applications.ResNet50V2(include_top=False, weights=None, pooling="avg")
    model = keras.Sequential([keras.Input((256, 256, 3)), base, keras.layers.Dense(1)])
    model.compile("adam", "mse", metrics=["mae"])
    model.fit(train_ds, validation_data=val_ds, epochs=20)


if __name__ == "__main__":
    main()
