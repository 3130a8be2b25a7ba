"""Triplets of totem photos: anchor, positive, negative. The lists were matched by hand."""
from pathlib import Path

import numpy as np
import tensorflow as tf
from tensorflow.keras import Model, layers, metrics, optimizers
from tensorflow.keras.applications import resnet

target_shape = (200, 200)
cache_dir = Path("data/totally_looks_like")


def preprocess_image(filename):
    image_string = tf.io.read_file(filename)
    image = tf.image.decode_jpeg(image_string, channels=3)
    image = tf.image.convert_image_dtype(image, tf.float32)
    return tf.image.resize(image, target_shape)


def preprocess_triplets(anchor, positive, negative):
    return preprocess_image(anchor), preprocess_image(positive), preprocess_image(negative)


anchor_images = sorted(str(f) for f in (cache_dir / "left").iterdir())
positive_images = sorted(str(f) for f in (cache_dir / "right").iterdir())
negative_images = anchor_images + positive_images
np.random.RandomState(seed=32).shuffle(negative_images)
negative_images = negative_images[: len(anchor_images)]

dataset = tf.data.Dataset.zip(
    (
        tf.data.Dataset.from_tensor_slices(anchor_images),
        tf.data.Dataset.from_tensor_slices(positive_images),
        tf.data.Dataset.from_tensor_slices(negative_images).shuffle(4096),
    )
)
dataset = dataset.shuffle(buffer_size=1024)
dataset = dataset.map(preprocess_triplets)
dataset = dataset.batch(32, drop_remainder=False)

base_cnn = resnet.ResNet50(weights="imagenet", input_shape=target_shape + (3,), include_top=False)
x = layers.Flatten()(base_cnn.output)
x = layers.Dense(512, activation="relu")(x)
embedding = Model(base_cnn.input, layers.Dense(256)(layers.BatchNormalization()(x)), name="Embedding")


class SiameseModel(Model):
    def __init__(self, embedding, margin=0.5):
        super().__init__()
        self.embedding = embedding
        self.margin = margin
        self.loss_tracker = metrics.Mean(name="loss")

    def train_step(self, data):
        anchor, positive, negative = data
        with tf.GradientTape() as tape:
            a, p, n = (self.embedding(resnet.preprocess_input(i * 255.0)) for i in (anchor, positive, negative))
            distance = tf.reduce_sum(tf.square(a - p), -1) - tf.reduce_sum(tf.square(a - n), -1)
            loss = tf.reduce_mean(tf.maximum(distance + self.margin, 0.0))
        gradients = tape.gradient(loss, self.embedding.trainable_weights)
        self.optimizer.apply_gradients(zip(gradients, self.embedding.trainable_weights))
        self.loss_tracker.update_state(loss)
        return {"loss": self.loss_tracker.result()}

    @property
    def metrics(self):
        return [self.loss_tracker]


siamese_model = SiameseModel(embedding)
siamese_model.compile(optimizer=optimizers.Adam(0.0001))
siamese_model.fit(dataset, epochs=10)
embedding.save("embedding")
