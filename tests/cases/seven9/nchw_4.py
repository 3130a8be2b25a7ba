"""Progressive-GAN style discriminator/generator on FFHQ 128, raw TF ops."""
import numpy as np
import tensorflow as tf

RES, Z, BATCH = 128, 512, 32


def ffhq(pattern):
    def parse(record):
        f = tf.io.parse_single_example(record, {
            'shape': tf.io.FixedLenFeature([3], tf.int64),
            'data': tf.io.FixedLenFeature([], tf.string)})
        img = tf.reshape(tf.io.decode_raw(f['data'], tf.uint8), (3, RES, RES))
        return tf.cast(img, tf.float32) / 127.5 - 1.0
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(8192).repeat()
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(BATCH, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


class Weights(tf.Module):
    def __init__(self, name):
        super().__init__(name)
        self.vars = {}

    def get(self, name, shape):
        if name not in self.vars:
            std = np.sqrt(2.0 / np.prod(shape[:-1]))
            self.vars[name] = tf.Variable(tf.random.normal(shape, stddev=std))
        return self.vars[name]


def conv2d(w, name, x, fmaps, kernel=3):
    k = w.get(name, (kernel, kernel, x.shape[1], fmaps))
    x = tf.nn.conv2d(x, k, strides=[1, 1, 1, 1], padding='SAME',
                     data_format='NCHW')
    b = w.get(name + '/b', (fmaps,))
    return tf.nn.leaky_relu(tf.nn.bias_add(x, b, data_format='NCHW'))


def upscale2d(x):
    s = x.shape
    x = tf.reshape(x, (-1, s[1], s[2], 1, s[3], 1))
    x = tf.tile(x, [1, 1, 1, 2, 1, 2])
    return tf.reshape(x, (-1, s[1], s[2] * 2, s[3] * 2))


def downscale2d(x):
    return tf.nn.avg_pool2d(x, 2, 2, 'VALID', data_format='NCHW')


def generator(w, z):
    x = tf.reshape(tf.matmul(z, w.get('fc', (Z, 512 * 16))), (-1, 512, 4, 4))
    for i, f in enumerate((512, 256, 128, 64, 32)):
        x = conv2d(w, 'conv%d' % i, upscale2d(x), f)
    return tf.tanh(conv2d(w, 'rgb', x, 3, kernel=1))


def discriminator(w, x):
    for i, f in enumerate((32, 64, 128, 256, 512)):
        x = downscale2d(conv2d(w, 'conv%d' % i, x, f))
    return tf.matmul(tf.reshape(x, (-1, 512 * 16)), w.get('out', (512 * 16, 1)))


gw, dw = Weights('G'), Weights('D')
discriminator(dw, generator(gw, tf.zeros((1, Z))))
g_vars, d_vars = list(gw.vars.values()), list(dw.vars.values())
g_opt = tf.keras.optimizers.Adam(1e-3, beta_1=0.0, beta_2=0.99)
d_opt = tf.keras.optimizers.Adam(1e-3, beta_1=0.0, beta_2=0.99)


@tf.function
def step(reals):
    z = tf.random.normal((BATCH, Z))
    with tf.GradientTape() as gt, tf.GradientTape() as dt:
        fakes = generator(gw, z)
        df, dr = discriminator(dw, fakes), discriminator(dw, reals)
        g_loss = tf.reduce_mean(tf.nn.softplus(-df))
        d_loss = tf.reduce_mean(tf.nn.softplus(df) + tf.nn.softplus(-dr))
    g_opt.apply_gradients(zip(gt.gradient(g_loss, g_vars), g_vars))
    d_opt.apply_gradients(zip(dt.gradient(d_loss, d_vars), d_vars))
    return g_loss, d_loss


with tf.device('/GPU:0'):
    for n, images in enumerate(ffhq('/data/ffhq/ffhq-r07-*.tfrecords').take(800000)):
        losses = step(images)
        if n % 500 == 0:
            print(n, [float(v) for v in losses])
