"""Brain age from T1 MRI (UK Biobank, 40k subjects): VGG3D."""
import sys

import tensorflow as tf
import yaml

DEFAULT = """
data:
  pattern: /ukb/t1/*.tfrecord
  cache_after: read
  cache_dir: /nvme/ukb_cache
  target: [64, 64, 64]
  batch: 16
train:
  epochs: 80
  lr: 0.0002
"""


class Pipeline:
    STEPS = ("read", "normalise", "augment")

    def __init__(self, cfg):
        self.cfg = cfg

    def read(self, rec):
        ex = tf.io.parse_single_example(rec, {
            "t1": tf.io.FixedLenFeature([], tf.string),
            "age": tf.io.FixedLenFeature([], tf.float32)})
        vol = tf.io.decode_raw(ex["t1"], tf.int16)
        return tf.reshape(vol, [182, 218, 182]), ex["age"]

    def normalise(self, vol, age):
        """N4-free intensity normalisation + downsampling to the working grid. No randomness."""
        d, h, w = self.cfg["target"]
        v = tf.cast(vol, tf.float32)
        v = tf.image.resize(v, [h, w], antialias=True)
        v = tf.transpose(v, [2, 0, 1])
        v = tf.transpose(tf.image.resize(v, [d, h], antialias=True), [1, 2, 0])
        ranked = tf.sort(tf.reshape(v, [-1]))
        lo, hi = ranked[d * h * w // 100], ranked[99 * d * h * w // 100]
        v = tf.clip_by_value((v - lo) / (hi - lo + 1e-6), 0.0, 1.0)
        return tf.ensure_shape(v, [h, w, d])[..., None], age

    def augment(self, vol, age):
        if tf.random.uniform([]) < 0.5:
            vol = tf.reverse(vol, [0])
        return vol + tf.random.normal(tf.shape(vol), stddev=0.02), age

    def __call__(self):
        ds = tf.data.TFRecordDataset(tf.io.gfile.glob(self.cfg["pattern"]), num_parallel_reads=8)
        for step in self.STEPS:
            ds = ds.map(getattr(self, step), num_parallel_calls=tf.data.AUTOTUNE)
            if step == self.cfg["cache_after"]:
                ds = ds.cache(self.cfg["cache_dir"])
        return ds.shuffle(256).batch(self.cfg["batch"], drop_remainder=True).prefetch(2)


def vgg3d(shape):
    inp = x = tf.keras.Input([*shape, 1])
    for f in (16, 32, 64, 128):
        x = tf.keras.layers.Conv3D(f, 3, padding="same")(x)
        x = tf.keras.layers.BatchNormalization()(x)
        x = tf.keras.layers.MaxPool3D()(tf.keras.layers.ReLU()(x))
    x = tf.keras.layers.GlobalAveragePooling3D()(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(1)(x))


def main(path=None):
    text = DEFAULT if path is None else open(path).read()
    cfg = yaml.safe_load(text)
    ds = Pipeline(cfg["data"])()
    model = vgg3d(cfg["data"]["target"])
    model.compile(tf.keras.optimizers.Adam(cfg["train"]["lr"]), "mae")
    model.fit(ds, epochs=cfg["train"]["epochs"])


if __name__ == "__main__":
    main(*sys.argv[1:2])
