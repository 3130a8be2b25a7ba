"""DCGAN on CelebA."""
import functools
import tensorflow as tf
import tensorflow_datasets as tfds

LATENT = 100
PARALLEL = dict(num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)


def center_crop(example):
    img = example['image'][45:173, 25:153]
    img = tf.image.resize(img, (64, 64))
    return img / 127.5 - 1.0


def with_flip(img):
    return tf.image.random_flip_left_right(img)


def pmap(fn, **kw):
    return functools.partial(tf.data.Dataset.map, map_func=fn, **kw)


def celeba(batch):
    ds = tfds.load('celeb_a', split='train', shuffle_files=True)
    ds = ds.map(center_crop, **PARALLEL)
    ds = ds.cache().shuffle(50000)
    ds = ds.apply(pmap(with_flip, num_parallel_calls=8))
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def generator():
    return tf.keras.Sequential([
        tf.keras.layers.Dense(4 * 4 * 512, input_shape=(LATENT,)),
        tf.keras.layers.Reshape((4, 4, 512)),
        tf.keras.layers.Conv2DTranspose(256, 5, 2, 'same', activation='relu'),
        tf.keras.layers.Conv2DTranspose(128, 5, 2, 'same', activation='relu'),
        tf.keras.layers.Conv2DTranspose(64, 5, 2, 'same', activation='relu'),
        tf.keras.layers.Conv2DTranspose(3, 5, 2, 'same', activation='tanh')])


def discriminator():
    return tf.keras.Sequential([
        tf.keras.layers.Conv2D(64, 5, 2, 'same', input_shape=(64, 64, 3)),
        tf.keras.layers.LeakyReLU(0.2),
        tf.keras.layers.Conv2D(128, 5, 2, 'same'),
        tf.keras.layers.LeakyReLU(0.2),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(1)])


G, D = generator(), discriminator()
g_opt = tf.keras.optimizers.Adam(2e-4, beta_1=0.5)
d_opt = tf.keras.optimizers.Adam(2e-4, beta_1=0.5)
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)


@tf.function
def step(real):
    z = tf.random.normal([tf.shape(real)[0], LATENT])
    with tf.GradientTape() as gt, tf.GradientTape() as dt:
        fake = G(z, training=True)
        dr, df = D(real, training=True), D(fake, training=True)
        g_loss = bce(tf.ones_like(df), df)
        d_loss = bce(tf.ones_like(dr), dr) + bce(tf.zeros_like(df), df)
    g_opt.apply_gradients(zip(gt.gradient(g_loss, G.trainable_variables),
                              G.trainable_variables))
    d_opt.apply_gradients(zip(dt.gradient(d_loss, D.trainable_variables),
                              D.trainable_variables))
    return g_loss, d_loss


dataset = celeba(256)
for epoch in range(50):
    for images in dataset:
        losses = step(images)
    print(epoch, [float(v) for v in losses])
