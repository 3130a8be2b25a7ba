"""LIDC-IDRI nodule segmentation. Volumes are stored as zlib-compressed int16 TFRecords."""
import argparse
import pathlib

import tensorflow as tf

PATCH = (96, 96, 96)
HU_MIN, HU_MAX = -1000.0, 400.0


def apply_map(ds, fn, workers=None, **static):
    """ds.map with keyword arguments bound; errors name the stage."""
    def bound(*elems):
        with tf.name_scope(fn.__name__):
            return fn(*elems, **static)
    return ds.map(bound, num_parallel_calls=workers)


def decode_scan(rec):
    ex = tf.io.parse_single_example(rec, {
        "ct": tf.io.FixedLenFeature([], tf.string),
        "mask": tf.io.FixedLenFeature([], tf.string),
        "shape": tf.io.FixedLenFeature([3], tf.int64)})
    vol = tf.io.decode_raw(tf.io.decode_compressed(ex["ct"], "ZLIB"), tf.int16)
    seg = tf.io.decode_raw(tf.io.decode_compressed(ex["mask"], "ZLIB"), tf.uint8)
    return tf.reshape(vol, ex["shape"]), tf.reshape(seg, ex["shape"])


def resample(vol, seg, depth):
    """Trilinear-ish: in-plane bilinear, then along z."""
    vol = tf.image.resize(tf.cast(vol, tf.float32)[..., None], [320, 320])
    vol = tf.transpose(vol, [1, 0, 2, 3])
    vol = tf.transpose(tf.image.resize(vol, [depth, 320]), [1, 0, 2, 3])
    seg = tf.image.resize(seg[..., None], [320, 320], method="nearest")
    seg = tf.transpose(seg, [1, 0, 2, 3])
    seg = tf.transpose(tf.image.resize(seg, [depth, 320], method="nearest"), [1, 0, 2, 3])
    return tf.clip_by_value((vol - HU_MIN) / (HU_MAX - HU_MIN), 0.0, 1.0), seg


def crop_patch(vol, seg):
    both = tf.concat([vol, tf.cast(seg, tf.float32)], axis=-1)
    patch = tf.image.random_crop(both, PATCH + (2,))
    return patch[..., :1], patch[..., 1:]


def build(root, batch, depth=160):
    shards = [str(p) for p in sorted(pathlib.Path(root).glob("lidc_*.tfrecord"))]
    ds = tf.data.TFRecordDataset(shards, num_parallel_reads=8)
    ds = apply_map(ds, decode_scan, workers=tf.data.AUTOTUNE)
    ds = apply_map(ds, resample, depth=depth)
    ds = apply_map(ds, crop_patch, workers=tf.data.AUTOTUNE)
    return ds.shuffle(64).batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def unet3d():
    inp = x = tf.keras.Input(PATCH + (1,))
    skips = []
    for f in (16, 32, 64):
        x = tf.keras.layers.Conv3D(f, 3, padding="same", activation="relu")(x)
        skips.append(x)
        x = tf.keras.layers.MaxPool3D()(x)
    for f, s in zip((64, 32, 16), reversed(skips)):
        x = tf.keras.layers.Conv3DTranspose(f, 2, 2)(x)
        x = tf.keras.layers.Conv3D(f, 3, padding="same", activation="relu")(tf.concat([x, s], -1))
    return tf.keras.Model(inp, tf.keras.layers.Conv3D(1, 1, activation="sigmoid")(x))


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("root")
    ap.add_argument("--batch", type=int, default=4)
    ap.add_argument("--epochs", type=int, default=200)
    a = ap.parse_args()
    net = unet3d()
    net.compile("adam", "binary_crossentropy")
    net.fit(build(a.root, a.batch), epochs=a.epochs)
