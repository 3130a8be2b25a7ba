"""EuroSAT land-use classification with a per-host feature cache."""
import argparse
import functools

import tensorflow as tf

AUTO = tf.data.AUTOTUNE
SIZE = 128
CLASSES = ["AnnualCrop", "Forest", "Herbaceous", "Highway", "Industrial",
           "Pasture", "PermanentCrop", "Residential", "River", "SeaLake"]


def compose(*fns):
    return lambda ds: functools.reduce(lambda d, f: f(d), fns, ds)


def mapped(fn):
    return lambda ds: ds.map(fn, num_parallel_calls=AUTO)


def decode(path):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    img = tf.image.resize(img, [SIZE, SIZE], antialias=True)
    name = tf.strings.split(path, "/")[-2]
    label = tf.argmax(tf.cast(tf.equal(name, CLASSES), tf.int32))
    return tf.cast(img, tf.uint8), label


def flips(img, label):
    img = tf.image.random_flip_left_right(img)
    img = tf.image.random_flip_up_down(img)
    return img, label


def rescale(imgs, labels):
    return tf.cast(imgs, tf.float32) / 127.5 - 1.0, labels


def train_pipeline(batch):
    return compose(
        mapped(decode),
        lambda ds: ds.cache(),
        lambda ds: ds.shuffle(27_000),
        mapped(flips),
        lambda ds: ds.batch(batch, drop_remainder=True),
        mapped(rescale),
        lambda ds: ds.prefetch(AUTO),
    )


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--glob", default="/data/eurosat/*/*.jpg")
    ap.add_argument("--batch", type=int, default=128)
    ap.add_argument("--epochs", type=int, default=50)
    args = ap.parse_args()
    files = tf.data.Dataset.from_tensor_slices(sorted(tf.io.gfile.glob(args.glob)))
    train = train_pipeline(args.batch)(files)
    base = tf.keras.applications.ResNet50V2(include_top=False, pooling="avg", weights=None,
                                            input_shape=(SIZE, SIZE, 3))
    model = tf.keras.Model(base.input, tf.keras.layers.Dense(len(CLASSES))(base.output))
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=["accuracy"])
    model.fit(train, epochs=args.epochs)


if __name__ == "__main__":
    main()
