import argparse
import functools

import keras
import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


def read(path):
    picture = tf.io.decode_png(tf.io.read_file(path), channels=1, dtype=tf.uint16)
    return picture, tf.strings.split(path, "/")[-2] == "defect"


def condition(picture, flag, *, side):
    picture = tf.image.resize(picture, (side, side), method="lanczos3", antialias=True)
    blurred = tf.nn.avg_pool2d(picture[tf.newaxis], 31, 1, "SAME")[0]
    return (picture - blurred) / (tf.math.reduce_std(picture) + 1.0), tf.cast(flag, tf.float32)


def castings(pattern, cache, side, batch):
    ds = tf.data.Dataset.list_files(pattern, shuffle=False).map(read, num_parallel_calls=AUTOTUNE)
    match cache:
        case "memory":
            ds = ds.cache()
        case "none":
            pass
        case folder:
            ds = ds.cache(folder)
    ds = ds.map(functools.partial(condition, side=side), num_parallel_calls=AUTOTUNE)
    return ds.shuffle(1024).batch(batch).prefetch(AUTOTUNE)


def main():
    cli = argparse.ArgumentParser()
    cli.add_argument("--pattern", default="/data/castings/*/*.png")
    cli.add_argument("--cache", default="memory")
    cli.add_argument("--side", type=int, default=224)
    cli.add_argument("--batch", type=int, default=32)
    cli.add_argument("--epochs", type=int, default=80)
    args = cli.parse_args()

    model = keras.Sequential([keras.Input((args.side, args.side, 1))])
    for width in (32, 64, 128, 256):
        model.add(keras.layers.SeparableConv2D(width, 3, activation="relu"))
        model.add(keras.layers.MaxPooling2D())
    model.add(keras.layers.GlobalAveragePooling2D())
    model.add(keras.layers.Dense(1, activation="sigmoid"))
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    model.fit(castings(args.pattern, args.cache, args.side, args.batch), epochs=args.epochs)


if __name__ == "__main__":
    main()
