"""Two-phase script: a generator exports shards once, training reads them natively."""
import argparse
import pathlib
import numpy as np
import tensorflow as tf
from PIL import Image

SPEC = {"png": tf.io.FixedLenFeature([], tf.string), "y": tf.io.FixedLenFeature([], tf.int64)}


class ScanGenerator:
    """Walks the archive and yields serialised examples."""

    def __init__(self, root):
        self.root = pathlib.Path(root)

    def __iter__(self):
        classes = sorted(p.name for p in self.root.iterdir())
        for tiff in self.root.rglob("*.tif"):
            arr = np.asarray(Image.open(tiff).convert("L"))
            png = tf.io.encode_png(arr[..., None]).numpy()
            yield tf.train.Example(features=tf.train.Features(feature={
                "png": tf.train.Feature(bytes_list=tf.train.BytesList(value=[png])),
                "y": tf.train.Feature(int64_list=tf.train.Int64List(
                    value=[classes.index(tiff.parent.name)])),
            })).SerializeToString()


def export(root, out, shards=64):
    writers = [tf.io.TFRecordWriter(f"{out}/scan-{i:03d}.tfrecord") for i in range(shards)]
    for k, ex in enumerate(ScanGenerator(root)):
        writers[k % shards].write(ex)
    for w in writers:
        w.close()


def parse(raw):
    ex = tf.io.parse_single_example(raw, SPEC)
    return tf.image.resize(tf.io.decode_png(ex["png"], channels=1), [224, 224]), ex["y"]


def dataset(out, batch):
    files = tf.data.Dataset.list_files(f"{out}/scan-*.tfrecord")
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).cache(f"{out}/decoded")
    return ds.shuffle(5000).batch(batch).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("phase", choices=["export", "train"])
    ap.add_argument("--root", default="/archive/tobacco3482")
    ap.add_argument("--out", default="/data/tobacco")
    a = ap.parse_args()
    if a.phase == "export":
        export(a.root, a.out)
    else:
        m = tf.keras.Sequential([tf.keras.layers.Conv2D(32, 7, strides=4, activation="relu"),
                                 tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
                                 tf.keras.layers.GlobalAveragePooling2D(), tf.keras.layers.Dense(10)])
        m.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
        m.fit(dataset(a.out, 64), epochs=30)
