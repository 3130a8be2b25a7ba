import argparse
import os

import tensorflow as tf

GRADES = tf.constant(["benign", "insitu", "invasive", "normal"])


def label_of(path):
    folder = tf.strings.split(path, os.sep)[-2]
    return tf.argmax(tf.cast(folder == GRADES, tf.int32))


def load(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (256, 256))
    return image, label_of(path)


def fold(paths, k, folds, n):
    size = n // folds
    start = k * size
    held_out = paths.skip(start).take(size)
    rest = paths.take(start).concatenate(paths.skip(start + size))
    return rest, held_out


def finish(paths, batch_size):
    ds = paths.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def make_model():
    base = tf.keras.applications.ResNet50V2(include_top=False, pooling="avg")
    inputs = tf.keras.Input((256, 256, 3))
    x = tf.keras.layers.Rescaling(1 / 127.5, offset=-1.0)(inputs)
    x = tf.keras.layers.Dropout(0.4)(base(x))
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(4, activation="softmax")(x))
    model.compile(
        tf.keras.optimizers.Adam(1e-4), "sparse_categorical_crossentropy", metrics=["accuracy"]
    )
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pattern", default="/data/histology/*/*.png")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--epochs", type=int, default=20)
    opts = parser.parse_args()

    paths = tf.data.Dataset.list_files(opts.pattern)
    n = int(paths.cardinality())
    scores = []
    for k in range(opts.folds):
        rest, held_out = fold(paths, k, opts.folds, n)
        model = make_model()
        history = model.fit(
            finish(rest, opts.batch_size),
            validation_data=finish(held_out, opts.batch_size),
            epochs=opts.epochs,
        )
        scores.append(history.history["val_accuracy"][-1])
    print("mean accuracy", sum(scores) / len(scores))


if __name__ == "__main__":
    main()
