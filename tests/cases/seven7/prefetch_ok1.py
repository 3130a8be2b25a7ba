"""Places365 classifier. Input functions register themselves with @input_fn."""
import argparse
import functools

import tensorflow as tf

AUTO = tf.data.AUTOTUNE
INPUTS = {}


def input_fn(name, lookahead=AUTO):
    """Registers a builder; whatever it returns is finished the same way."""
    def wrap(build):
        @functools.wraps(build)
        def finished(*args, **kwargs):
            ds = build(*args, **kwargs)
            opts = tf.data.Options()
            opts.deterministic = False
            return ds.prefetch(lookahead).with_options(opts)
        INPUTS[name] = finished
        return finished
    return wrap


def _decode(path, label, size):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(img, [size, size]) / 255.0, label


def _index(list_file):
    paths, labels = [], []
    with open(list_file) as fh:
        for row in fh:
            p, y = row.split()
            paths.append(p)
            labels.append(int(y))
    return tf.constant(paths), tf.constant(labels)


@input_fn("train")
def train_input(args):
    ds = tf.data.Dataset.from_tensor_slices(_index(args.train_list))
    ds = ds.shuffle(200_000)
    ds = ds.map(functools.partial(_decode, size=args.size), num_parallel_calls=AUTO)
    return ds.batch(args.batch, drop_remainder=True)


@input_fn("val")
def val_input(args):
    ds = tf.data.Dataset.from_tensor_slices(_index(args.val_list))
    ds = ds.map(functools.partial(_decode, size=args.size), num_parallel_calls=AUTO)
    return ds.batch(args.batch)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--train_list", default="places/train.txt")
    p.add_argument("--val_list", default="places/val.txt")
    p.add_argument("--size", type=int, default=224)
    p.add_argument("--batch", type=int, default=256)
    p.add_argument("--epochs", type=int, default=30)
    args = p.parse_args()

    model = tf.keras.applications.MobileNetV2(weights=None, classes=365)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(INPUTS["train"](args), validation_data=INPUTS["val"](args), epochs=args.epochs)


if __name__ == "__main__":
    main()
