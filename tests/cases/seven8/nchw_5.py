"""BraTS 3D U-Net (port of an old Keras repo): partial layers in channels_first."""
import functools

import tensorflow as tf
from tensorflow.keras import layers

AUTOTUNE = tf.data.AUTOTUNE
DEFAULTS = {
    "patch": 96,
    "modalities": 4,
    "classes": 4,
    "filters": 16,
    "levels": 4,
    "batch_size": 2,
    "epochs": 350,
    "layout": "channels_first",
}


def parse(record, cfg):
    spec = {"image": tf.io.FixedLenFeature([], tf.string),
            "mask": tf.io.FixedLenFeature([], tf.string)}
    ex = tf.io.parse_single_example(record, spec)
    img = tf.reshape(tf.io.decode_raw(ex["image"], tf.float16), [155, 240, 240, cfg["modalities"]])
    mask = tf.reshape(tf.io.decode_raw(ex["mask"], tf.uint8), [155, 240, 240, 1])
    both = tf.concat([tf.cast(img, tf.float32), tf.cast(mask, tf.float32)], -1)
    p = cfg["patch"]
    both = tf.image.random_crop(both, [p, p, p, cfg["modalities"] + 1])
    return both[..., :-1], tf.cast(both[..., -1], tf.int32)


def to_layout(cfg):
    def fn(img, mask):
        if cfg["layout"] == "channels_first":
            img = tf.transpose(img, [3, 0, 1, 2])
        return img, mask
    return fn


def train_ds(pattern, cfg):
    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(pattern), compression_type="GZIP",
                                 num_parallel_reads=AUTOTUNE)
    ds = ds.shuffle(64)
    ds = ds.map(functools.partial(parse, cfg=cfg), num_parallel_calls=AUTOTUNE)
    ds = ds.map(to_layout(cfg), num_parallel_calls=AUTOTUNE)
    return ds.batch(cfg["batch_size"], drop_remainder=True).prefetch(AUTOTUNE)


def unet3d(cfg):
    layout = cfg["layout"]
    axis = 1 if layout == "channels_first" else -1
    conv = functools.partial(layers.Conv3D, kernel_size=3, padding="same", data_format=layout)
    pool = functools.partial(layers.MaxPooling3D, pool_size=2, data_format=layout)
    up = functools.partial(layers.UpSampling3D, size=2, data_format=layout)

    def block(x, ch):
        for _ in range(2):
            x = layers.ReLU()(layers.BatchNormalization(axis=axis)(conv(ch)(x)))
        return x

    p = cfg["patch"]
    shape = (cfg["modalities"], p, p, p) if axis == 1 else (p, p, p, cfg["modalities"])
    inp = layers.Input(shape)
    x, skips = inp, []
    for level in range(cfg["levels"] - 1):
        x = block(x, cfg["filters"] * 2 ** level)
        skips.append(x)
        x = pool()(x)
    x = block(x, cfg["filters"] * 2 ** (cfg["levels"] - 1))
    for level, skip in reversed(list(enumerate(skips))):
        x = layers.Concatenate(axis=axis)([up()(x), skip])
        x = block(x, cfg["filters"] * 2 ** level)
    logits = layers.Conv3D(cfg["classes"], 1, data_format=layout)(x)
    return tf.keras.Model(inp, layers.Permute((2, 3, 4, 1))(logits) if axis == 1 else logits)


def main(cfg=DEFAULTS):
    strategy = tf.distribute.MirroredStrategy(["/gpu:0", "/gpu:1"])
    with strategy.scope():
        model = unet3d(cfg)
        model.compile(tf.keras.optimizers.Adam(1e-4),
                      tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(train_ds("/data/brats_tfrecord/train-*.gz", cfg), epochs=cfg["epochs"],
              callbacks=[tf.keras.callbacks.CSVLogger("brats.csv")])


if __name__ == "__main__":
    main()
