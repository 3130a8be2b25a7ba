"""Low-level denoiser (tf.Module) with half-precision compute."""
import dataclasses

import tensorflow as tf


@dataclasses.dataclass
class DenoiseConfig:
    pattern: str = "/data/raw_photos/train-*.tfrecord"
    channels: int = 64
    depth: int = 17
    batch: int = 64
    steps: int = 250_000
    compute_dtype: str = "float16"


class Conv(tf.Module):
    LAYOUT = "NCHW"

    def __init__(self, cin, cout, dtype, name=None):
        super().__init__(name)
        init = tf.random.normal([3, 3, cin, cout], stddev=(2.0 / (9 * cin)) ** 0.5)
        self.w = tf.Variable(init)
        self.b = tf.Variable(tf.zeros([cout]))
        self.dtype = tf.as_dtype(dtype)

    def __call__(self, x):
        w = tf.cast(self.w, self.dtype)
        y = tf.nn.conv2d(x, w, strides=1, padding="SAME", data_format=self.LAYOUT)
        return tf.nn.bias_add(y, tf.cast(self.b, self.dtype), data_format=self.LAYOUT)


class DnCNN(tf.Module):
    def __init__(self, cfg):
        super().__init__()
        sizes = [4] + [cfg.channels] * (cfg.depth - 1) + [4]
        self.layers = [Conv(i, o, cfg.compute_dtype) for i, o in zip(sizes, sizes[1:])]
        self.dtype = tf.as_dtype(cfg.compute_dtype)

    def __call__(self, noisy):
        x = tf.cast(noisy, self.dtype)
        for layer in self.layers[:-1]:
            x = tf.nn.relu(layer(x))
        return noisy - tf.cast(self.layers[-1](x), tf.float32)


def packed_bayer(cfg):
    def parse(serialized):
        ex = tf.io.parse_example(serialized, {"planes": tf.io.FixedLenFeature([], tf.string)})
        planes = tf.reshape(tf.io.decode_raw(ex["planes"], tf.uint16), [-1, 4, 128, 128])
        return tf.cast(planes, tf.float32) / 65535.0
    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(cfg.pattern), num_parallel_reads=8)
    ds = ds.shuffle(4096).repeat().batch(cfg.batch, drop_remainder=True)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def main(cfg=DenoiseConfig()):
    net = DnCNN(cfg)
    opt = tf.keras.optimizers.Adam(1e-3)

    @tf.function
    def step(clean):
        noisy = clean + tf.random.normal(tf.shape(clean), stddev=0.02)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(net(noisy) - clean))
            scaled = loss * 1024.0
        grads = [g / 1024.0 for g in tape.gradient(scaled, net.trainable_variables)]
        opt.apply_gradients(zip(grads, net.trainable_variables))
        return loss

    for i, clean in enumerate(packed_bayer(cfg).take(cfg.steps)):
        loss = step(clean)
        if i % 1000 == 0:
            tf.print(i, loss)


main()
