"""Trains a weather nowcasting U-Net on a TPU pod slice."""
import argparse

import tensorflow as tf

tf.keras.backend.set_image_data_format("channels_first")


class RadarData:
    def __init__(self, pattern, frames=12, size=256):
        self.pattern, self.frames, self.size = pattern, frames, size

    def _parse(self, serialized):
        ex = tf.io.parse_example(serialized, {"seq": tf.io.FixedLenFeature([], tf.string)})
        seq = tf.io.decode_raw(ex["seq"], tf.uint8)
        seq = tf.cast(tf.reshape(seq, [-1, self.frames + 1, self.size, self.size]), tf.bfloat16) / 255.0
        return seq[:, :-1], seq[:, -1:]

    def __call__(self, batch):
        ds = tf.data.Dataset.list_files(self.pattern).repeat()
        ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=32, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(2048).batch(batch, drop_remainder=True)
        return ds.map(self._parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def conv(x, f, stride=1):
    x = tf.keras.layers.Conv2D(f, 3, strides=stride, padding="same", use_bias=False)(x)
    return tf.keras.layers.ReLU()(tf.keras.layers.BatchNormalization(axis=1)(x))


def unet(frames, size):
    inp = tf.keras.Input([frames, size, size])
    x, skips = conv(inp, 64), []
    for f in (128, 256, 512):
        skips.append(x)
        x = conv(x, f, stride=2)
    for f, s in zip((256, 128, 64), reversed(skips)):
        x = tf.keras.layers.Conv2DTranspose(f, 2, strides=2)(x)
        x = conv(tf.keras.layers.Concatenate(axis=1)([x, s]), f)
    return tf.keras.Model(inp, tf.keras.layers.Conv2D(1, 1, activation="sigmoid")(x))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--tpu", default="radar-v3-32")
    ap.add_argument("--data", default="gs://radar/train-*.tfrecord")
    ap.add_argument("--batch", type=int, default=256)
    args = ap.parse_args()
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver.connect(args.tpu)
    strategy = tf.distribute.TPUStrategy(resolver)
    data = RadarData(args.data)
    with strategy.scope():
        model = unet(data.frames, data.size)
        model.compile("adam", "mae", steps_per_execution=50)
    model.fit(data(args.batch), steps_per_epoch=5000, epochs=40)


if __name__ == "__main__":
    main()
