"""SpaceNet building footprints: 8-band GeoTIFF chips are stored band-first, trained band-last."""
import json
import sys

import tensorflow as tf

BANDS, SIDE = 8, 256
AUTO = tf.data.AUTOTUNE

DEFAULTS = {"chips": "/data/spacenet/chips-*.tfrecord", "batch": 32, "epochs": 90, "lr": 5e-4}


def parse(rec):
    ex = tf.io.parse_single_example(rec, {
        "bands": tf.io.FixedLenFeature([], tf.string),
        "mask": tf.io.FixedLenFeature([], tf.string)})
    chw = tf.reshape(tf.io.decode_raw(ex["bands"], tf.uint16), [BANDS, SIDE, SIDE])
    mask = tf.reshape(tf.io.decode_raw(ex["mask"], tf.uint8), [SIDE, SIDE, 1])
    hwc = tf.transpose(tf.cast(chw, tf.float32) / 2047.0, [1, 2, 0])
    return hwc, tf.cast(mask, tf.float32)


def dihedral(img, mask):
    """One of the 8 symmetries; the transpose only swaps rows and columns."""
    both = tf.concat([img, mask], -1)
    if tf.random.uniform([]) < 0.5:
        both = tf.transpose(both, [1, 0, 2])
    both = tf.image.random_flip_left_right(both)
    both = tf.image.random_flip_up_down(both)
    both = tf.ensure_shape(both, [SIDE, SIDE, BANDS + 1])
    return both[..., :BANDS], both[..., BANDS:]


def chips(cfg):
    files = tf.data.Dataset.list_files(cfg["chips"])
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=AUTO)
    ds = ds.shuffle(4000)
    for fn in (parse, dihedral):
        ds = ds.map(fn, num_parallel_calls=AUTO)
    return ds.batch(cfg["batch"], drop_remainder=True).prefetch(AUTO)


def block(x, f):
    for _ in range(2):
        x = tf.keras.layers.Conv2D(f, 3, padding="same", use_bias=False,
                                   data_format="channels_last")(x)
        x = tf.keras.layers.ReLU()(tf.keras.layers.BatchNormalization(axis=-1)(x))
    return x


def unet():
    inp = x = tf.keras.Input([SIDE, SIDE, BANDS])
    skips = []
    for f in (32, 64, 128, 256):
        x = block(x, f)
        skips.append(x)
        x = tf.keras.layers.MaxPool2D()(x)
    x = block(x, 512)
    for f, s in zip((256, 128, 64, 32), skips[::-1]):
        x = tf.keras.layers.Conv2DTranspose(f, 2, 2)(x)
        x = block(tf.keras.layers.Concatenate()([x, s]), f)
    return tf.keras.Model(inp, tf.keras.layers.Conv2D(1, 1, activation="sigmoid")(x))


def main(path=None):
    cfg = dict(DEFAULTS)
    if path:
        with open(path) as fh:
            cfg.update(json.load(fh))
    model = unet()
    model.compile(tf.keras.optimizers.Adam(cfg["lr"]), "binary_crossentropy")
    model.fit(chips(cfg), epochs=cfg["epochs"])
    model.save("spacenet.keras")


if __name__ == "__main__":
    main(*sys.argv[1:2])
