"""Progressive/StyleGAN-flavoured discriminator pretraining with raw tf.nn ops in NCHW."""
import numpy as np
import tensorflow as tf

RES = 128
BATCH = 32


def get_weight(shape, gain=np.sqrt(2)):
    std = float(gain / np.sqrt(np.prod(shape[:-1])))
    return tf.Variable(tf.random.normal(shape) * std)


class ConvLayer(tf.Module):
    def __init__(self, cin, cout, kernel, down=False):
        super().__init__()
        self.w = get_weight([kernel, kernel, cin, cout])
        self.b = tf.Variable(tf.zeros([cout]))
        self.down = down

    def __call__(self, x):
        stride = [1, 1, 2, 2] if self.down else [1, 1, 1, 1]
        x = tf.nn.conv2d(x, self.w, stride, "SAME", data_format="NCHW")
        x = tf.nn.bias_add(x, self.b, data_format="NCHW")
        return tf.nn.leaky_relu(x, 0.2)


class Discriminator(tf.Module):
    def __init__(self, base=64):
        super().__init__()
        self.from_rgb = ConvLayer(3, base, 1)
        self.blocks, ch = [], base
        for _ in range(5):
            nxt = min(ch * 2, 512)
            self.blocks += [ConvLayer(ch, ch, 3), ConvLayer(ch, nxt, 3, down=True)]
            ch = nxt
        self.dense = get_weight([ch, 1], 1.0)

    def __call__(self, x):
        x = self.from_rgb(x)
        for b in self.blocks:
            x = b(x)
        return tf.matmul(tf.reduce_mean(x, [2, 3]), self.dense)


class Generator(tf.Module):
    def __init__(self, z=256):
        super().__init__()
        self.fc = get_weight([z, 512 * 16])
        self.convs = [ConvLayer(i, o, 3) for i, o in
                      ((512, 512), (512, 256), (256, 128), (128, 64), (64, 32))]
        self.to_rgb = get_weight([1, 1, 32, 3], 1.0)

    def __call__(self, z):
        x = tf.reshape(tf.matmul(z, self.fc), [-1, 512, 4, 4])
        for conv in self.convs:
            x = conv(tf.repeat(tf.repeat(x, 2, 2), 2, 3))
        return tf.nn.conv2d(x, self.to_rgb, 1, "SAME", data_format="NCHW")


def parse_tfrecord(record):
    ex = tf.io.parse_single_example(record, {"data": tf.io.FixedLenFeature([], tf.string)})
    img = tf.image.resize(tf.io.decode_png(ex["data"], channels=3), [RES, RES], antialias=True)
    return tf.transpose(img / 127.5 - 1.0, [2, 0, 1])  # to CHW


def main():
    ds = tf.data.Dataset.list_files("/data/ffhq/ffhq-*.tfrecords")
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(8192).repeat().map(parse_tfrecord, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(BATCH, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    G, D = Generator(), Discriminator()
    g_opt, d_opt = tf.keras.optimizers.Adam(2e-3, 0.0), tf.keras.optimizers.Adam(2e-3, 0.0)

    @tf.function
    def step(real):
        with tf.GradientTape() as gt, tf.GradientTape() as dt:
            fake = G(tf.random.normal([BATCH, 256]))
            df, dr = D(fake), D(real)
            g_loss = tf.reduce_mean(tf.nn.softplus(-df))
            d_loss = tf.reduce_mean(tf.nn.softplus(df) + tf.nn.softplus(-dr))
        g_opt.apply_gradients(zip(gt.gradient(g_loss, G.trainable_variables), G.trainable_variables))
        d_opt.apply_gradients(zip(dt.gradient(d_loss, D.trainable_variables), D.trainable_variables))
        return g_loss, d_loss

    for kimg, real in enumerate(ds.take(800_000)):
        g_loss, d_loss = step(real)
        if kimg % 1000 == 0:
            print(kimg * BATCH // 1000, "kimg", float(g_loss), float(d_loss))


if __name__ == "__main__":
    main()
