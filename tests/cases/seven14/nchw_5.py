"""WGAN for melanoma and plain skin patches, two real datasets, conditional critic."""
import tensorflow as tf
from tensorflow.keras import layers

DATA_FORMAT = "channels_first"
LATENT, SIZE = 128, 64
tf.keras.mixed_precision.set_global_policy("mixed_bfloat16")


def up(width):
    return [layers.Conv2DTranspose(width, 4, 2, "same", data_format=DATA_FORMAT, use_bias=False),
            layers.BatchNormalization(axis=1), layers.ReLU()]


def down(width):
    return [layers.Conv2D(width, 4, 2, "same", data_format=DATA_FORMAT), layers.LeakyReLU(0.2)]


def make_generator():
    body = [layers.Dense(512 * 4 * 4), layers.Reshape((512, 4, 4))]
    for w in (256, 128, 64):
        body += up(w)
    return tf.keras.Sequential(body + [layers.Conv2DTranspose(
        3, 4, 2, "same", data_format=DATA_FORMAT, activation="tanh", dtype="float32")])


def make_critic():
    body = []
    for w in (64, 128, 256):
        body += down(w)
    return tf.keras.Sequential(body + [layers.Flatten(), layers.Dense(1, dtype="float32")])


def patches(folder, batch):
    ds = tf.keras.utils.image_dataset_from_directory(
        folder, labels=None, image_size=(SIZE, SIZE), batch_size=batch)
    ds = ds.cache().repeat().map(
        lambda x: tf.transpose(tf.image.random_flip_left_right(x) / 127.5 - 1.0, [0, 3, 1, 2]),
        num_parallel_calls=tf.data.AUTOTUNE)
    return ds


class WGAN:
    def __init__(self):
        self.g, self.c = make_generator(), make_critic()
        self.go, self.co = tf.keras.optimizers.RMSprop(5e-5), tf.keras.optimizers.RMSprop(5e-5)

    @tf.function
    def step(self, lesion, plain):
        with tf.GradientTape() as ct, tf.GradientTape() as gt:
            fake = self.g(tf.random.normal([tf.shape(lesion)[0], LATENT]))
            s = tf.reduce_mean(self.c(fake))
            closs = s - tf.reduce_mean(self.c(lesion)) + 0.1 * tf.reduce_mean(self.c(plain))
            gloss = -s
        self.co.apply_gradients(zip(ct.gradient(closs, self.c.trainable_variables), self.c.trainable_variables))
        self.go.apply_gradients(zip(gt.gradient(gloss, self.g.trainable_variables), self.g.trainable_variables))


gan = WGAN()
both = tf.data.Dataset.zip((patches("/data/skin/melanoma", 64), patches("/data/skin/plain", 64)))
for lesion, plain in both.take(90_000).prefetch(tf.data.AUTOTUNE):
    gan.step(lesion, plain)
gan.g.save("/models/lesion_wgan.keras")
