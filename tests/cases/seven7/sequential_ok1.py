"""Fashion retrieval: embeds 1.2M product shots with a triplet loss."""
import functools
import multiprocessing as mp
import pathlib

import pandas as pd
import tensorflow as tf

pmap = functools.partial(tf.data.Dataset.map, num_parallel_calls=tf.data.AUTOTUNE,
                         deterministic=False)


def _exists(path):
    p = pathlib.Path(path)
    return p.is_file() and p.stat().st_size > 1024


def load_index(csv, root):
    frame = pd.read_csv(csv)
    frame["path"] = frame["rel"].map(lambda r: f"{root}/{r}")
    with mp.Pool(16) as pool:
        frame["ok"] = pool.map(_exists, frame["path"])
    frame = frame[frame.ok]
    frame["sku_id"] = frame["sku"].map({s: i for i, s in enumerate(frame.sku.unique())})
    return frame


def decode(path, sku):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize_with_pad(img, 256, 256), sku


def augment(img, sku):
    img = tf.image.random_crop(img, [224, 224, 3])
    img = tf.image.random_flip_left_right(img)
    img = tf.image.random_jpeg_quality(img / 255.0, 60, 100)
    return img * 2.0 - 1.0, sku


def dataset(frame, batch):
    ds = tf.data.Dataset.from_tensor_slices((frame.path.values, frame.sku_id.values))
    ds = ds.shuffle(len(frame))
    for stage in (decode, augment):
        ds = pmap(ds, stage)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def batch_hard(y, emb):
    d = tf.reduce_sum((emb[:, None] - emb[None]) ** 2, -1)
    same = tf.cast(tf.equal(y, tf.transpose(y)), tf.float32)
    pos = tf.reduce_max(d * same, 1)
    neg = tf.reduce_min(d + 1e3 * same, 1)
    return tf.nn.softplus(pos - neg)


def main():
    frame = load_index("/data/fashion/index.csv", "/data/fashion/img")
    base = tf.keras.applications.ResNet50(include_top=False, pooling="avg", weights=None)
    emb = tf.keras.layers.Dense(128)(base.output)
    model = tf.keras.Model(base.input, tf.math.l2_normalize(emb, -1))
    model.compile(tf.keras.optimizers.Adam(3e-4), loss=batch_hard)
    model.fit(dataset(frame, 256), epochs=30)
    model.save_weights("retrieval.h5")


if __name__ == "__main__":
    main()
