import argparse

import tensorflow as tf


def decode(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    label = tf.cast(tf.strings.regex_full_match(path, ".*/rust/.*"), tf.float32)
    return tf.image.resize(image, (112, 112)) / 255.0, label


def pipeline(args, pattern, training):
    ds = tf.data.Dataset.list_files(pattern, shuffle=False)
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.repeat() if training else ds
    ds = ds.cache(args.cache_dir) if args.cache_dir and training else ds
    ds = ds.batch(args.batch)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--cache_dir", default="/tmp/rust_cache")
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--steps", type=int, default=400)
    args = p.parse_args()
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(16, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy")
    model.fit(pipeline(args, "metal/train/*/*.jpg", True), steps_per_epoch=args.steps, epochs=10,
              validation_data=pipeline(args, "metal/val/*/*.jpg", False))


if __name__ == "__main__":
    main()
