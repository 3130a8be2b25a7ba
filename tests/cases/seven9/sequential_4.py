"""SimCLR pre-training on STL-10 unlabeled + ImageNet jpegs."""
import glob
import random

import tensorflow as tf
from tensorflow import keras

SIZE = 224
BATCH = 512
TEMPERATURE = 0.1


class AugmentMixin:
    strength = 0.8

    def color_distort(self, x):
        s = self.strength
        x = tf.image.random_brightness(x, 0.8 * s)
        x = tf.image.random_contrast(x, 1 - 0.8 * s, 1 + 0.8 * s)
        x = tf.image.random_saturation(x, 1 - 0.8 * s, 1 + 0.8 * s)
        x = tf.image.random_hue(x, 0.2 * s)
        return tf.clip_by_value(x, 0.0, 1.0)

    def random_view(self, img):
        scale = tf.random.uniform([], 0.3, 1.0)
        hw = tf.cast(tf.cast(tf.shape(img)[:2], tf.float32) * scale, tf.int32)
        x = tf.image.random_crop(img, tf.concat([hw, [3]], 0))
        x = tf.image.resize(x, (SIZE, SIZE)) / 255.0
        x = tf.image.random_flip_left_right(x)
        if tf.random.uniform([]) < 0.8:
            x = self.color_distort(x)
        return x

    def two_views(self, path):
        img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        return self.random_view(img), self.random_view(img)


class SimCLR(AugmentMixin, keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = keras.applications.ResNet50(
            include_top=False, weights=None, pooling='avg')
        self.head = keras.Sequential([
            keras.layers.Dense(2048, activation='relu'),
            keras.layers.Dense(128)])

    def dataset(self, paths):
        ds = tf.data.Dataset.from_tensor_slices(paths)
        ds = ds.shuffle(len(paths))
        ds = ds.map(self.two_views)
        ds = ds.batch(BATCH, drop_remainder=True)
        return ds.prefetch(2)

    def train_step(self, views):
        a, b = views
        with tf.GradientTape() as tape:
            za = tf.math.l2_normalize(self.head(self.encoder(a, training=True)), 1)
            zb = tf.math.l2_normalize(self.head(self.encoder(b, training=True)), 1)
            logits = tf.matmul(za, zb, transpose_b=True) / TEMPERATURE
            labels = tf.range(BATCH)
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
        variables = self.encoder.trainable_variables + self.head.trainable_variables
        self.optimizer.apply_gradients(
            zip(tape.gradient(loss, variables), variables))
        return {'loss': loss}


if __name__ == '__main__':
    files = glob.glob('/data/imagenet/train/*/*.JPEG')
    random.shuffle(files)
    simclr = SimCLR()
    simclr.compile(optimizer=keras.optimizers.SGD(0.6, momentum=0.9))
    simclr.fit(simclr.dataset(files), epochs=200)
