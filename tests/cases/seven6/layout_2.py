"""Super resolution (EDSR), ported from Torch, hence CHW."""
import functools

import tensorflow as tf

Conv = functools.partial(
    tf.keras.layers.Conv2D, kernel_size=3, padding="same", data_format="channels_first")


class ResBlock(tf.keras.layers.Layer):
    def __init__(self, feats):
        super().__init__()
        self.c1 = Conv(feats, activation="relu")
        self.c2 = Conv(feats)

    def call(self, x):
        return x + 0.1 * self.c2(self.c1(x))


class EDSR(tf.keras.Model):
    def __init__(self, feats=256, blocks=32, scale=2):
        super().__init__()
        self.scale = scale
        self.head = Conv(feats)
        self.body = [ResBlock(feats) for _ in range(blocks)]
        self.up = Conv(3 * scale * scale)

    def call(self, x):
        h = self.head(x)
        r = h
        for b in self.body:
            r = b(r)
        return tf.nn.depth_to_space(self.up(h + r), self.scale, data_format="NCHW")


def pair(path):
    hr = tf.io.decode_png(tf.io.read_file(path), channels=3)
    hr = tf.image.random_crop(tf.cast(hr, tf.float32), (192, 192, 3))
    lr = tf.image.resize(hr, (96, 96), method="bicubic")
    return tf.transpose(lr, [2, 0, 1]), tf.transpose(hr, [2, 0, 1])


def div2k(batch_size):
    ds = tf.data.Dataset.list_files("/data/DIV2K/train_HR/*.png").repeat()
    ds = ds.map(pair, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    tf.keras.mixed_precision.set_global_policy("mixed_bfloat16")
    model, opt = EDSR(), tf.keras.optimizers.Adam(1e-4)

    @tf.function
    def step(lr, hr):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(tf.cast(model(lr, training=True), tf.float32) - hr))
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss

    for i, (lr, hr) in enumerate(div2k(16).take(300_000)):
        loss = step(lr, hr)
        if i % 1000 == 0:
            print(i, float(loss))


if __name__ == "__main__":
    main()
