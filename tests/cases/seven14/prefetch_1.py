"""Fine-tuning of an EfficientNet on one of the registered image collections."""
import argparse
import os

import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
DATASETS = {}


def register(name, **meta):
    def deco(fn):
        DATASETS[name] = (fn, meta)
        return fn
    return deco


def _decode(path, label, size):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    img = tf.image.resize(img, (size, size))
    return img, label


@register("plants", classes=38)
def plants(root, batch_size, size):
    names = sorted(os.listdir(root))
    paths, labels = [], []
    for i, n in enumerate(names):
        for f in tf.io.gfile.glob(os.path.join(root, n, "*.jpg")):
            paths.append(f)
            labels.append(i)
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    ds = ds.shuffle(len(paths), reshuffle_each_iteration=True)
    ds = ds.map(lambda p, y: _decode(p, y, size), num_parallel_calls=AUTOTUNE)
    ds = ds.cache(os.path.join("/tmp/cache", "plants"))
    return ds.shuffle(2048).batch(batch_size)


def load(name, root, batch_size, size):
    fn, meta = DATASETS[name]
    return fn(root, batch_size, size), meta["classes"]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--dataset", default="plants", choices=list(DATASETS))
    ap.add_argument("--root", default="/data/plantvillage")
    ap.add_argument("--batch-size", type=int, default=64)
    ap.add_argument("--epochs", type=int, default=20)
    args = ap.parse_args()

    train, classes = load(args.dataset, args.root, args.batch_size, 224)
    base = tf.keras.applications.EfficientNetB0(include_top=False, pooling="avg")
    model = tf.keras.Sequential([base, tf.keras.layers.Dense(classes)])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=["accuracy"])
    model.fit(train, epochs=args.epochs)


if __name__ == "__main__":
    main()
