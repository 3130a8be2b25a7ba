"""Pose estimation (stacked hourglass) on COCO keypoints."""
import dataclasses
import functools

import tensorflow as tf
from tensorflow.keras import layers

BACKBONES = {}


def backbone(fn):
    BACKBONES[fn.__name__] = fn
    return fn


@dataclasses.dataclass(frozen=True)
class Spec:
    name: str = "hourglass"
    joints: int = 17
    width: int = 128
    stacks: int = 2
    size: int = 256
    layout: str = "channels_first"  # cuDNN likes it better


class Factory:
    def __init__(self, layout):
        self.axis = 1 if layout == "channels_first" else 3
        for name in ("Conv2D", "MaxPool2D", "UpSampling2D"):
            setattr(self, name, functools.partial(getattr(layers, name), data_format=layout))

    def conv(self, x, f, k=3):
        x = self.Conv2D(f, k, padding="same", use_bias=False)(x)
        return layers.ReLU()(layers.BatchNormalization(axis=self.axis)(x))

    def down(self, x):
        return self.MaxPool2D()(x)

    def up(self, x):
        return self.UpSampling2D()(x)


@backbone
def hourglass(fac, x, spec):
    heads = []

    def unit(x, depth):
        low = fac.conv(fac.down(x), spec.width)
        low = unit(low, depth - 1) if depth else fac.conv(low, spec.width)
        return layers.Add()([fac.conv(x, spec.width), fac.up(low)])

    x = fac.down(fac.conv(fac.down(fac.conv(x, 64, 7)), spec.width))
    for _ in range(spec.stacks):
        x = unit(x, 3)
        heads.append(fac.Conv2D(spec.joints, 1)(x))
    return heads


def build(spec):
    inp = x = tf.keras.Input([spec.size, spec.size, 3])
    if spec.layout == "channels_first":
        x = layers.Permute((3, 1, 2))(x)
    heads = BACKBONES[spec.name](Factory(spec.layout), x, spec)
    if spec.layout == "channels_first":
        heads = [layers.Permute((2, 3, 1))(h) for h in heads]
    return tf.keras.Model(inp, heads)


def keypoints(pattern, batch, spec):
    hm = spec.size // 4

    def parse(rec):
        ex = tf.io.parse_single_example(rec, {
            "jpeg": tf.io.FixedLenFeature([], tf.string),
            "xyv": tf.io.FixedLenFeature([spec.joints, 3], tf.float32)})
        img = tf.image.resize(tf.io.decode_jpeg(ex["jpeg"], channels=3), [spec.size] * 2) / 255.0
        xx = tf.range(hm, dtype=tf.float32)[None, :, None]
        yy = tf.range(hm, dtype=tf.float32)[:, None, None]
        kx, ky, v = [ex["xyv"][None, None, :, i] for i in range(3)]
        heat = v * tf.exp(-((xx - kx * hm) ** 2 + (yy - ky * hm) ** 2) / 4.5)
        return img, (heat,) * spec.stacks

    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(4096).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    spec = Spec()
    with tf.device("/GPU:0"):
        model = build(spec)
        model.compile(tf.keras.optimizers.RMSprop(2.5e-4), loss=["mse"] * spec.stacks)
    model.fit(keypoints("/data/coco_kp/train-*.tfrecord", 32, spec), epochs=140)
    model.save_weights("pose.weights.h5")


if __name__ == "__main__":
    main()
