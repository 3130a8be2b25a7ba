"""KiTS kidney CT segmentation, config dataclass, 3D patches."""
import dataclasses
import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


@dataclasses.dataclass
class Config:
    train_pattern: str = "/data/kits/train-*.tfrecord.gz"
    volume: tuple = (128, 160, 160)
    patch: tuple = (96, 96, 96)
    batch_size: int = 2
    patches_per_volume: int = 4
    cache: bool = True
    cache_path: str = "/local_ssd/kits_cache"
    epochs: int = 400


def resample(serialized, cfg):
    """Decodes a CT volume, clips HU and brings it to a common grid."""
    ex = tf.io.parse_single_example(serialized, {
        "ct": tf.io.FixedLenFeature([], tf.string),
        "seg": tf.io.FixedLenFeature([], tf.string),
        "shape": tf.io.FixedLenFeature([3], tf.int64)})
    ct = tf.reshape(tf.io.decode_raw(tf.io.decode_compressed(ex["ct"], "ZLIB"), tf.int16), ex["shape"])
    seg = tf.reshape(tf.io.decode_raw(tf.io.decode_compressed(ex["seg"], "ZLIB"), tf.uint8), ex["shape"])
    d, h, w = cfg.volume
    ct = tf.clip_by_value(tf.cast(ct, tf.float32), -79.0, 304.0)
    ct = tf.image.resize(ct[..., tf.newaxis], [h, w])
    ct = tf.image.resize(tf.transpose(ct, [1, 0, 2, 3]), [d, w])
    seg = tf.image.resize(seg[..., tf.newaxis], [h, w], method="nearest")
    seg = tf.image.resize(tf.transpose(seg, [1, 0, 2, 3]), [d, w], method="nearest")
    ct = tf.transpose((ct - 101.0) / 76.9, [1, 0, 2, 3])
    return tf.cast(ct, tf.float16), tf.transpose(seg, [1, 0, 2, 3])


def random_patches(ct, seg, cfg):
    both = tf.concat([tf.cast(ct, tf.float32), tf.cast(seg, tf.float32)], -1)
    crops = [tf.image.random_crop(both, list(cfg.patch) + [2])
             for _ in range(cfg.patches_per_volume)]
    crops = tf.stack(crops)
    return tf.data.Dataset.from_tensor_slices((crops[..., :1], tf.cast(crops[..., 1], tf.int32)))


def train_dataset(cfg):
    ds = tf.data.Dataset.list_files(cfg.train_pattern, shuffle=False)
    ds = ds.interleave(lambda f: tf.data.TFRecordDataset(f, compression_type="GZIP"),
                       num_parallel_calls=AUTOTUNE)
    if cfg.cache:
        ds = ds.cache(cfg.cache_path)
    ds = ds.map(lambda s: resample(s, cfg), num_parallel_calls=AUTOTUNE)
    ds = ds.shuffle(16)
    ds = ds.interleave(lambda c, s: random_patches(c, s, cfg), cycle_length=4,
                       num_parallel_calls=AUTOTUNE)
    return ds.batch(cfg.batch_size).prefetch(AUTOTUNE)


def vnet(patch):
    inp = tf.keras.Input(tuple(patch) + (1,))
    skips, x = [], inp
    for ch in (16, 32, 64):
        x = tf.keras.layers.Conv3D(ch, 3, padding="same", activation="relu")(x)
        skips.append(x)
        x = tf.keras.layers.Conv3D(ch * 2, 2, strides=2, activation="relu")(x)
    for s in reversed(skips):
        x = tf.keras.layers.UpSampling3D()(x)
        x = tf.keras.layers.Concatenate()([x, s])
        x = tf.keras.layers.Conv3D(s.shape[-1], 3, padding="same", activation="relu")(x)
    return tf.keras.Model(inp, tf.keras.layers.Conv3D(4, 1)(x))


if __name__ == "__main__":
    cfg = Config()
    model = vnet(cfg.patch)
    model.compile(tf.keras.optimizers.Adam(3e-4),
                  tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(train_dataset(cfg), epochs=cfg.epochs)
