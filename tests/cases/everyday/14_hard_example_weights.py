"""Each image carries a weight, which the loop raises where the loss was high."""
import json

import tensorflow as tf

with open("data/birds/index.json") as f:
    index = json.load(f)

paths = [entry["path"] for entry in index]
labels = [entry["species"] for entry in index]

sample_weights = tf.lookup.experimental.DenseHashTable(
    key_dtype=tf.string,
    value_dtype=tf.float32,
    default_value=1.0,
    empty_key="",
    deleted_key="#deleted",
)


def load(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file("data/birds/" + path), channels=3)
    image = tf.image.resize(image, [299, 299]) / 255.0
    return path, image, label, sample_weights.lookup(path)


dataset = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths)).repeat(20)
dataset = dataset.map(load)
dataset = dataset.batch(24)

model = tf.keras.applications.InceptionV3(weights=None, classes=max(labels) + 1, classifier_activation=None)
optimizer = tf.keras.optimizers.SGD(0.02, momentum=0.9)
cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")


@tf.function
def train_step(images, labels, weights):
    with tf.GradientTape() as tape:
        losses = cross_entropy(labels, model(images, training=True))
        loss = tf.reduce_mean(losses * weights)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return losses


for step, (names, images, targets, weights) in enumerate(dataset):
    losses = train_step(images, targets, weights)
    sample_weights.insert(names, tf.clip_by_value(losses, 0.5, 4.0))
    if step % 50 == 0:
        tf.print(step, "mean loss", tf.reduce_mean(losses), "known", sample_weights.size())
model.save_weights("birds.h5")
