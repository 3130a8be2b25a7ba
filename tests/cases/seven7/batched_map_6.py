"""WGAN-GP on EMNIST (700k glyphs). Pipelines are written as  source >> Stage >> Stage."""
import tensorflow as tf
import tensorflow_datasets as tfds

Z = 128


class Flow:
    def __init__(self, ds):
        self.ds = ds

    def __rshift__(self, stage):
        return Flow(stage.on(self.ds))

    def __iter__(self):
        return iter(self.ds)


class Each:
    def __init__(self, fn):
        self.fn = fn

    def on(self, ds):
        return ds.map(self.fn, num_parallel_calls=tf.data.AUTOTUNE)


class Shuffle:
    def __init__(self, n):
        self.n = n

    def on(self, ds):
        return ds.shuffle(self.n).repeat()


class Batch:
    def __init__(self, n):
        self.n = n

    def on(self, ds):
        return ds.batch(self.n, drop_remainder=True)


class Ahead:
    def on(self, ds):
        return ds.prefetch(tf.data.AUTOTUNE)


def to_tanh_range(ex):
    return tf.cast(ex["image"], tf.float32) / 127.5 - 1.0


def glyphs(batch):
    raw = tfds.load("emnist/byclass", split="train", shuffle_files=True)
    return Flow(raw) >> Shuffle(60_000) >> Each(to_tanh_range) >> Batch(batch) >> Ahead()


def make_generator():
    return tf.keras.Sequential([
        tf.keras.layers.Dense(7 * 7 * 256, "relu"),
        tf.keras.layers.Reshape([7, 7, 256]),
        tf.keras.layers.Conv2DTranspose(128, 5, 2, "same", activation="relu"),
        tf.keras.layers.Conv2DTranspose(1, 5, 2, "same", activation="tanh")])


def make_critic():
    return tf.keras.Sequential([
        tf.keras.layers.Conv2D(64, 5, 2, "same", activation="leaky_relu"),
        tf.keras.layers.Conv2D(128, 5, 2, "same", activation="leaky_relu"),
        tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)])


G, D = make_generator(), make_critic()
g_opt = tf.keras.optimizers.Adam(1e-4, beta_1=0.0, beta_2=0.9)
d_opt = tf.keras.optimizers.Adam(1e-4, beta_1=0.0, beta_2=0.9)


@tf.function
def critic_step(real):
    fake = G(tf.random.normal([tf.shape(real)[0], Z]))
    with tf.GradientTape() as tape:
        eps = tf.random.uniform([tf.shape(real)[0], 1, 1, 1])
        mid = eps * real + (1 - eps) * fake
        with tf.GradientTape() as gp:
            gp.watch(mid)
            score = D(mid)
        norm = tf.norm(tf.reshape(gp.gradient(score, mid), [tf.shape(real)[0], -1]), axis=1)
        loss = tf.reduce_mean(D(fake)) - tf.reduce_mean(D(real)) + 10.0 * tf.reduce_mean((norm - 1) ** 2)
    d_opt.apply_gradients(zip(tape.gradient(loss, D.trainable_variables), D.trainable_variables))
    return loss


@tf.function
def generator_step(n):
    with tf.GradientTape() as tape:
        loss = -tf.reduce_mean(D(G(tf.random.normal([n, Z]))))
    g_opt.apply_gradients(zip(tape.gradient(loss, G.trainable_variables), G.trainable_variables))


def main(batch=256, steps=200_000):
    for step, real in enumerate(glyphs(batch)):
        loss = critic_step(real)
        if step % 5 == 4:
            generator_step(batch)
        if step % 1000 == 0:
            print(step, float(loss))
        if step == steps:
            break


if __name__ == "__main__":
    main()
