import argparse

import tensorflow as tf


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--images", default="/data/xray/*/*.png")
    parser.add_argument("--layout", default="channels_first")
    parser.add_argument("--batch", type=int, default=32)
    return parser.parse_args()


def input_fn(pattern, batch):
    def load(path):
        scan = tf.io.decode_png(tf.io.read_file(path), channels=1)
        scan = tf.image.resize(scan, (512, 512)) / 255.0
        label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.float32)
        return scan, label

    ds = tf.data.Dataset.list_files(pattern).map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    args = parse_args()
    tf.keras.backend.set_image_data_format(args.layout)
    model = tf.keras.Sequential([
        tf.keras.Input((512, 512, 1)),
        tf.keras.layers.Reshape((1, 512, 512)),
        tf.keras.layers.Conv2D(16, 5, strides=2, activation="relu"),
        tf.keras.layers.Conv2D(32, 5, strides=2, activation="relu"),
        tf.keras.layers.GlobalMaxPooling2D(),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=["AUC"])
    model.fit(input_fn(args.images, args.batch), epochs=10)


if __name__ == "__main__":
    main()
