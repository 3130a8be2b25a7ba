"""Exports CLIP-like picture embeddings of a whole archive in one pass."""
import argparse
import numpy as np
import tensorflow as tf


def load(path, size):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return path, tf.image.resize(img, [size, size], "bicubic", antialias=True)


class Exporter:
    def __init__(self, encoder, out, rows=50_000):
        self.encoder, self.out, self.rows = encoder, out, rows
        self.vec, self.names, self.part = [], [], 0

    @tf.function
    def encode(self, x):
        z = self.encoder(tf.keras.applications.efficientnet_v2.preprocess_input(x), training=False)
        return tf.cast(tf.math.l2_normalize(z, -1), tf.float16)

    def flush(self):
        if self.names:
            np.savez(f"{self.out}/part-{self.part:05d}.npz",
                     names=np.concatenate(self.names), vec=np.concatenate(self.vec))
        self.vec, self.names, self.part = [], [], self.part + 1

    def run(self, ds):
        count = 0
        for names, x in ds:
            self.vec.append(self.encode(x).numpy())
            self.names.append(names.numpy())
            count += len(names)
            if count >= self.rows:
                self.flush()
                count = 0
        self.flush()


def archive(pattern, size, batch):
    ds = tf.data.Dataset.list_files(pattern, shuffle=False)
    ds = ds.map(lambda p: load(p, size), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--pattern", default="/archive/press/*/*/*.jpg")
    p.add_argument("--out", default="/archive/vectors")
    p.add_argument("--batch", type=int, default=256)
    a = p.parse_args()
    enc = tf.keras.applications.EfficientNetV2S(include_top=False, pooling="avg")
    Exporter(enc, a.out).run(archive(a.pattern, 384, a.batch))
