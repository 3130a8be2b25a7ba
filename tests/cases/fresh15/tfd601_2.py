"""Super-resolution with hand-written layers."""
from dataclasses import dataclass

import tensorflow as tf


@dataclass
class SRConfig:
    pattern: str = "/data/div2k/patches-*.tfrecord"
    layout: str = "NCHW"
    scale: int = 2
    width: int = 64
    depth: int = 8
    batch: int = 32
    steps: int = 100_000


def to_layout(x, layout):
    if layout == "NCHW":
        return tf.transpose(x, (0, 3, 1, 2))
    return x


class PatchData:
    def __init__(self, cfg):
        self.cfg = cfg

    def parse(self, record):
        ex = tf.io.parse_single_example(record, {"hr": tf.io.FixedLenFeature([], tf.string)})
        hr = tf.image.decode_png(ex["hr"], channels=3)
        hr = tf.image.convert_image_dtype(tf.ensure_shape(hr, (96, 96, 3)), tf.float32)
        return tf.image.resize(hr, (48, 48), method="bicubic", antialias=True), hr

    def arrange(self, lr, hr):
        lr, hr = to_layout(lr, self.cfg.layout), to_layout(hr, self.cfg.layout)
        return tf.cast(lr, tf.float16), hr

    def stream(self):
        files = tf.data.Dataset.list_files(self.cfg.pattern, shuffle=True)
        ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(4096).repeat()
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(self.cfg.batch, drop_remainder=True)
        ds = ds.map(self.arrange, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


class Net(tf.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        widths = [3] + [cfg.width] * cfg.depth + [3 * cfg.scale**2]
        init = tf.keras.initializers.HeNormal()
        self.kernels = [tf.Variable(init((3, 3, a, b))) for a, b in zip(widths[:-1], widths[1:])]

    def __call__(self, x):
        for i, kernel in enumerate(self.kernels):
            x = tf.nn.conv2d(
                x, tf.cast(kernel, tf.float16), 1, "SAME", data_format=self.cfg.layout
            )
            if i + 1 < len(self.kernels):
                x = tf.nn.relu(x)
        x = tf.nn.depth_to_space(x, self.cfg.scale, data_format=self.cfg.layout)
        return tf.cast(x, tf.float32)


def main():
    cfg = SRConfig()
    net = Net(cfg)
    optimizer = tf.keras.optimizers.Adam(1e-4)

    @tf.function
    def step(lr, hr):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(net(lr) - hr))
            scaled = loss * 1024.0
        grads = [g / 1024.0 for g in tape.gradient(scaled, net.trainable_variables)]
        optimizer.apply_gradients(zip(grads, net.trainable_variables))
        return loss

    for i, (lr, hr) in enumerate(PatchData(cfg).stream().take(cfg.steps)):
        loss = step(lr, hr)
        if i % 1000 == 0:
            print(i, float(loss))


if __name__ == "__main__":
    main()
