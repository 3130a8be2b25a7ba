"""Chest X-ray pretraining (SimCLR). Worker count is taken from the experiment config."""
from dataclasses import dataclass, field

import tensorflow as tf


@dataclass
class Loader:
    pattern: str = "/mnt/mimic-cxr/jpg/*/*.jpg"
    workers: int = 1
    batch: int = 512


@dataclass
class Experiment:
    loader: Loader = field(default_factory=Loader)
    temperature: float = 0.1
    epochs: int = 200


def view(image):
    crop = tf.random.uniform([], 0.4, 1.0)
    h = tf.cast(tf.cast(tf.shape(image)[0], tf.float32) * crop, tf.int32)
    w = tf.cast(tf.cast(tf.shape(image)[1], tf.float32) * crop, tf.int32)
    patch = tf.image.random_crop(image, [h, w, 1])
    patch = tf.image.resize(patch, [224, 224])
    return tf.image.random_contrast(patch, 0.6, 1.4)


def two_views(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=1)
    return view(image), view(image)


def make_dataset(cfg: Loader):
    ds = tf.data.Dataset.list_files(cfg.pattern, shuffle=True)
    ds = ds.map(two_views, num_parallel_calls=cfg.workers)
    ds = ds.batch(cfg.batch, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


class SimCLR(tf.keras.Model):
    def __init__(self, temperature):
        super().__init__()
        self.encoder = tf.keras.applications.ResNet50(
            include_top=False, weights=None, pooling="avg", input_shape=(224, 224, 1))
        self.projector = tf.keras.layers.Dense(128)
        self.temperature = temperature

    def train_step(self, data):
        a, b = data
        with tf.GradientTape() as tape:
            za = tf.math.l2_normalize(self.projector(self.encoder(a, training=True)), 1)
            zb = tf.math.l2_normalize(self.projector(self.encoder(b, training=True)), 1)
            logits = tf.matmul(za, zb, transpose_b=True) / self.temperature
            labels = tf.range(tf.shape(logits)[0])
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
        variables = self.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return {"loss": loss}


if __name__ == "__main__":
    exp = Experiment()
    model = SimCLR(exp.temperature)
    model.compile(optimizer=tf.keras.optimizers.Adam(1e-3))
    model.fit(make_dataset(exp.loader), epochs=exp.epochs)
