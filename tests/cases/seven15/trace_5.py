from contextlib import ExitStack, contextmanager

import tensorflow as tf

LATENT = 100


@contextmanager
def traced(name, step):
    with ExitStack() as stack:
        stack.enter_context(tf.profiler.experimental.Trace(name, step_num=step, _r=1))
        yield


def celeb(paths, batch):
    def load(p):
        img = tf.io.decode_jpeg(tf.io.read_file(p), channels=3)
        img = tf.image.central_crop(img, 0.7)
        return tf.image.resize(img, [64, 64]) / 127.5 - 1.0

    ds = tf.data.Dataset.from_tensor_slices(paths).shuffle(len(paths)).repeat()
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def nets():
    L = tf.keras.layers
    gen = tf.keras.Sequential([
        L.Dense(8 * 8 * 128), L.Reshape((8, 8, 128)),
        L.Conv2DTranspose(64, 4, 2, "same", activation="relu"),
        L.Conv2DTranspose(32, 4, 2, "same", activation="relu"),
        L.Conv2DTranspose(3, 4, 2, "same", activation="tanh")])
    disc = tf.keras.Sequential([
        L.Conv2D(32, 4, 2, activation="relu"), L.Conv2D(64, 4, 2, activation="relu"), L.Flatten(), L.Dense(1)])
    return gen, disc


def main(steps=20000):
    gen, disc = nets()
    g_opt, d_opt = tf.keras.optimizers.Adam(1e-4), tf.keras.optimizers.Adam(1e-4)
    bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)

    @tf.function
    def adversarial(real):
        z = tf.random.normal([tf.shape(real)[0], LATENT])
        with tf.GradientTape() as gt, tf.GradientTape() as dt:
            fake = gen(z, training=True)
            r, f = disc(real, training=True), disc(fake, training=True)
            g_loss = bce(tf.ones_like(f), f)
            d_loss = bce(tf.ones_like(r), r) + bce(tf.zeros_like(f), f)
        g_opt.apply_gradients(zip(gt.gradient(g_loss, gen.trainable_variables), gen.trainable_variables))
        d_opt.apply_gradients(zip(dt.gradient(d_loss, disc.trainable_variables), disc.trainable_variables))
        return g_loss, d_loss

    batches = iter(celeb(tf.io.gfile.glob("/data/celeba/*.jpg"), 128))
    for step in range(steps):
        if step == 100:
            tf.profiler.experimental.start("logs/gan")
        real = batches.get_next()
        with traced("gan", step):
            g_loss, d_loss = adversarial(real)
        if step == 150:
            tf.profiler.experimental.stop()
            print("g", float(g_loss), "d", float(d_loss))


main()
