"""DCGAN on LSUN bedrooms with a small fluent pipeline builder."""
import tensorflow as tf

AUTO = tf.data.AUTOTUNE


class Pipeline:
    """Chains dataset stages; every method returns self."""

    def __init__(self, ds):
        self.ds = ds

    def parallel(self, fn):
        self.ds = self.ds.map(fn, num_parallel_calls=AUTO)
        return self

    def shuffled(self, n):
        self.ds = self.ds.shuffle(n)
        return self

    def batched(self, n):
        self.ds = self.ds.batch(n, drop_remainder=True)
        return self

    def on_gpu(self, device="/gpu:0"):
        self.ds = self.ds.apply(tf.data.experimental.copy_to_device(device))
        self.ds = self.ds.prefetch(2)
        return self

    def get(self):
        return self.ds


def decode(record):
    ex = tf.io.parse_single_example(record, {"image": tf.io.FixedLenFeature([], tf.string)})
    img = tf.io.decode_jpeg(ex["image"], channels=3)
    img = tf.image.resize_with_crop_or_pad(img, 256, 256)
    img = tf.image.resize(img, [64, 64], method="area")
    return img / 127.5 - 1.0


def build(pattern, batch):
    files = tf.data.Dataset.list_files(pattern)
    raw = files.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=AUTO)
    return Pipeline(raw).shuffled(20000).parallel(decode).batched(batch).on_gpu().get()


def generator():
    m = tf.keras.Sequential([tf.keras.layers.Dense(4 * 4 * 512, input_shape=(128,)),
                             tf.keras.layers.Reshape((4, 4, 512))])
    for ch in (256, 128, 64):
        m.add(tf.keras.layers.Conv2DTranspose(ch, 4, 2, "same", activation="relu"))
    m.add(tf.keras.layers.Conv2DTranspose(3, 4, 2, "same", activation="tanh"))
    return m


def discriminator():
    m = tf.keras.Sequential([tf.keras.layers.InputLayer((64, 64, 3))])
    for ch in (64, 128, 256):
        m.add(tf.keras.layers.Conv2D(ch, 4, 2, "same", activation=tf.nn.leaky_relu))
    m.add(tf.keras.layers.Flatten())
    m.add(tf.keras.layers.Dense(1))
    return m


G, D = generator(), discriminator()
g_opt = tf.keras.optimizers.Adam(2e-4, 0.5)
d_opt = tf.keras.optimizers.Adam(2e-4, 0.5)


@tf.function
def train_step(real):
    z = tf.random.normal([tf.shape(real)[0], 128])
    with tf.GradientTape() as gt, tf.GradientTape() as dt:
        fake = G(z, training=True)
        fr, ff = D(real, training=True), D(fake, training=True)
        d_loss = tf.reduce_mean(tf.nn.softplus(-fr)) + tf.reduce_mean(tf.nn.softplus(ff))
        g_loss = tf.reduce_mean(tf.nn.softplus(-ff))
    g_opt.apply_gradients(zip(gt.gradient(g_loss, G.trainable_variables), G.trainable_variables))
    d_opt.apply_gradients(zip(dt.gradient(d_loss, D.trainable_variables), D.trainable_variables))
    return g_loss, d_loss


if __name__ == "__main__":
    data = build("/data/lsun/bedroom_train-*.tfrecord", 128)
    for epoch in range(25):
        for real in data:
            g_loss, d_loss = train_step(real)
        print(epoch, float(g_loss), float(d_loss))
        G.save(f"gan/generator_{epoch:02d}.h5")
