import argparse

import tensorflow as tf


def make_options(threads):
    options = tf.data.Options()
    options.threading.private_threadpool_size = threads
    options.threading.max_intra_op_parallelism = 1
    options.autotune.ram_budget = 8 << 30
    return options


def decode(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, [256, 256])
    label = tf.strings.split(path, "/")[-2] == "defect"
    return image, tf.cast(label, tf.float32)


def make_dataset(pattern, batch_size, options=None, *, training):
    ds = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    if training:
        ds = ds.shuffle(2_000)
    ds = ds.batch(batch_size)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", required=True)
    parser.add_argument("--threads", type=int, default=24)
    parser.add_argument("--batch-size", type=int, default=32)
    args = parser.parse_args()

    options = make_options(args.threads)
    train_ds = make_dataset(f"{args.root}/train/*/*.png", args.batch_size, options, training=True)
    val_ds = make_dataset(f"{args.root}/val/*/*.png", args.batch_size, options, training=False)

    model = tf.keras.Sequential([
        tf.keras.layers.Rescaling(1.0 / 255),
        tf.keras.layers.Conv2D(32, 5, strides=2, activation="relu"),
        tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
        tf.keras.layers.GlobalMaxPooling2D(),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=["AUC"])
    model.fit(train_ds, validation_data=val_ds, epochs=15)


if __name__ == "__main__":
    main()
