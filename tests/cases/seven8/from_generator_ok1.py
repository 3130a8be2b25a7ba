"""Conditional WGAN; `from_generator` builds the sampler from a generator network."""
import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
Z = 128


class Sampler:
    """Draws images from a trained generator network."""

    def __init__(self, net, z_dim):
        self.net = net
        self.z_dim = z_dim

    @classmethod
    def from_generator(cls, generator, z_dim=Z):
        return cls(generator, z_dim)

    def sample(self, n):
        images = self.net(tf.random.normal([n, self.z_dim]), training=False)
        return tf.cast((images + 1.0) * 127.5, tf.uint8)


def read_celeba(pattern, batch_size):
    def parse(rec):
        ex = tf.io.parse_single_example(rec, {"image": tf.io.FixedLenFeature([], tf.string)})
        img = tf.io.decode_jpeg(ex["image"], channels=3)
        img = tf.image.resize(tf.image.crop_to_bounding_box(img, 50, 25, 128, 128), [64, 64])
        return tf.image.random_flip_left_right(img) / 127.5 - 1.0

    files = tf.data.Dataset.list_files(pattern)
    return (files.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTOTUNE)
            .shuffle(10_000).repeat()
            .map(parse, num_parallel_calls=AUTOTUNE)
            .batch(batch_size, drop_remainder=True)
            .prefetch(AUTOTUNE))


def make_generator():
    g = tf.keras.Sequential([tf.keras.layers.Dense(4 * 4 * 512, input_shape=(Z,)),
                             tf.keras.layers.Reshape((4, 4, 512))])
    for c in (256, 128, 64):
        g.add(tf.keras.layers.Conv2DTranspose(c, 4, 2, "same", activation="relu"))
    g.add(tf.keras.layers.Conv2DTranspose(3, 4, 2, "same", activation="tanh"))
    return g


def make_critic():
    c = tf.keras.Sequential([tf.keras.layers.InputLayer((64, 64, 3))])
    for ch in (64, 128, 256):
        c.add(tf.keras.layers.Conv2D(ch, 4, 2, "same", activation=tf.nn.leaky_relu))
    c.add(tf.keras.layers.Flatten())
    c.add(tf.keras.layers.Dense(1))
    return c


def main():
    gen, critic = make_generator(), make_critic()
    g_opt, c_opt = (tf.keras.optimizers.Adam(1e-4, 0.0, 0.9) for _ in range(2))
    sampler = Sampler.from_generator(gen)

    @tf.function
    def step(real):
        z = tf.random.normal([tf.shape(real)[0], Z])
        with tf.GradientTape(persistent=True) as t:
            fake = gen(z, training=True)
            cf, cr = tf.reduce_mean(critic(fake)), tf.reduce_mean(critic(real))
            c_loss, g_loss = cf - cr, -cf
        c_opt.apply_gradients(zip(t.gradient(c_loss, critic.trainable_variables), critic.trainable_variables))
        g_opt.apply_gradients(zip(t.gradient(g_loss, gen.trainable_variables), gen.trainable_variables))
        for v in critic.trainable_variables:
            v.assign(tf.clip_by_value(v, -0.01, 0.01))
        return c_loss

    writer = tf.summary.create_file_writer("logs/wgan")
    for i, real in enumerate(read_celeba("/data/celeba/*.tfrecord", 64).take(200_000)):
        loss = step(real)
        if i % 1000 == 0:
            with writer.as_default(step=i):
                tf.summary.scalar("critic", loss)
                tf.summary.image("samples", sampler.sample(16))


if __name__ == "__main__":
    main()
