"""LSUN-bedroom GAN with hand-written layers (tf.nn) on a single RTX card."""
import functools
import glob

import tensorflow as tf

conv = functools.partial(tf.nn.conv2d, padding="SAME", data_format="NCHW")
deconv = functools.partial(tf.nn.conv2d_transpose, padding="SAME", data_format="NCHW")
bias = functools.partial(tf.nn.bias_add, data_format="NCHW")

B, Z, RES = 64, 128, 64


class Params(tf.Module):
    def __init__(self, shapes, name):
        super().__init__(name=name)
        init = tf.random_normal_initializer(0.0, 0.02)
        self.w = [tf.Variable(init(s)) for s in shapes]

    def __iter__(self):
        return iter(self.w)


class Critic(Params):
    WIDTHS = (64, 128, 256, 512)

    def __init__(self):
        chans = (3,) + self.WIDTHS
        super().__init__([[4, 4, a, b] for a, b in zip(chans, chans[1:])] + [[512 * 16, 1]], "critic")
        self.b = [tf.Variable(tf.zeros([f])) for f in self.WIDTHS]

    def __call__(self, x):
        *kernels, out = self.w
        for k, b in zip(kernels, self.b):
            x = tf.nn.leaky_relu(bias(conv(x, k, strides=2), b))
        return tf.reshape(x, [B, 512 * 16]) @ out


class Generator(Params):
    def __init__(self):
        chans = (512, 256, 128, 64, 3)
        super().__init__([[Z, 512 * 16]] + [[4, 4, b, a] for a, b in zip(chans, chans[1:])], "gen")

    def __call__(self, z):
        first, *kernels = self.w
        x, side = tf.reshape(tf.nn.relu(z @ first), [B, 512, 4, 4]), 4
        for i, k in enumerate(kernels):
            side *= 2
            x = deconv(x, k, [B, k.shape[2], side, side], 2)
            x = tf.nn.relu(x) if i < len(kernels) - 1 else tf.tanh(x)
        return x


def load(path):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    img = tf.image.resize(tf.image.resize_with_crop_or_pad(img, 256, 256), [RES, RES], antialias=True)
    return img / 127.5 - 1.0


def bedrooms(pattern):
    files = glob.glob(pattern)
    ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files)).repeat()
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(B, drop_remainder=True)
    ds = ds.map(lambda x: tf.transpose(x, [0, 3, 1, 2]), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def main(pattern="/data/lsun/bedroom/*.jpg", steps=400_000):
    g, d = Generator(), Critic()
    g_opt, d_opt = (tf.keras.optimizers.Adam(2e-4, beta_1=0.5) for _ in range(2))

    @tf.function
    def step(real):
        z = tf.random.normal([B, Z])
        with tf.GradientTape(persistent=True) as tape:
            fake = g(z)
            on_real, on_fake = d(real), d(fake)
            d_loss = tf.reduce_mean(tf.nn.relu(1 - on_real)) + tf.reduce_mean(tf.nn.relu(1 + on_fake))
            g_loss = -tf.reduce_mean(on_fake)
        d_opt.apply_gradients(zip(tape.gradient(d_loss, d.trainable_variables), d.trainable_variables))
        g_opt.apply_gradients(zip(tape.gradient(g_loss, g.trainable_variables), g.trainable_variables))
        return d_loss, g_loss

    for i, real in enumerate(bedrooms(pattern).take(steps)):
        dl, gl = step(real)
        if i % 500 == 0:
            print(i, float(dl), float(gl))


if __name__ == "__main__":
    main()
