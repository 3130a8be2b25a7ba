import argparse

import tensorflow as tf


def decode(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (224, 224))
    return image, label


def build(paths, labels, args):
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    ds = ds.shuffle(len(paths), seed=args.seed)
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(args.batch_size, drop_remainder=True)
    return ds.prefetch(args.batch_size)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=256)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--index", default="/data/places/index.txt")
    args = parser.parse_args()

    with open(args.index) as f:
        rows = [line.rstrip("\n").split("\t") for line in f]
    paths = [r[0] for r in rows]
    labels = [int(r[1]) for r in rows]

    train = build(paths, labels, args)
    model = tf.keras.applications.ResNet50(weights=None, classes=365)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, epochs=90)


if __name__ == "__main__":
    main()
