import argparse
import functools

import tensorflow as tf


def make_options(threads, deterministic):
    options = tf.data.Options()
    options.threading.private_threadpool_size = threads
    options.deterministic = deterministic
    return options


def configure(ds, options=None):
    if options is not None:
        ds = ds.with_options(options)
    return ds


def decode(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, [256, 256])
    label = tf.strings.split(path, "/")[-2] == "defect"
    return image, tf.cast(label, tf.float32)


def make_dataset(pattern, batch_size, finish, *, training):
    ds = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    if training:
        ds = ds.shuffle(2_000)
    ds = ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)
    return ds.apply(finish)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", required=True)
    parser.add_argument("--threads", type=int, default=24)
    args = parser.parse_args()

    options = make_options(args.threads, deterministic=False)
    finish = functools.partial(configure, options=options)
    train_ds = make_dataset(f"{args.root}/train/*/*.png", 32, finish, training=True)
    val_ds = make_dataset(f"{args.root}/val/*/*.png", 32, finish, training=False)

    model = tf.keras.Sequential([
        tf.keras.layers.Rescaling(1.0 / 255),
        tf.keras.layers.Conv2D(32, 5, strides=2, activation="relu"),
        tf.keras.layers.GlobalMaxPooling2D(),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=["AUC"])
    model.fit(train_ds, validation_data=val_ds, epochs=15)


if __name__ == "__main__":
    main()
