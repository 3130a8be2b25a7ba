import csv
import os

import tensorflow as tf

ROOT = os.environ.get("CASSAVA_ROOT", "data/cassava")
PER_REPLICA_BATCH = 32
EPOCHS = 15
SIZE = 380


def read_table(path):
    names, labels = [], []
    with open(path, newline="") as f:
        for row in csv.DictReader(f):
            names.append(os.path.join(ROOT, "train_images", row["image_id"]))
            labels.append(int(row["label"]))
    return names, labels


def decode_and_resize(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.central_crop(image, 0.9)
    image = tf.image.resize(image, (SIZE, SIZE))
    return image, label


strategy = tf.distribute.MirroredStrategy()
global_batch = PER_REPLICA_BATCH * strategy.num_replicas_in_sync

names, labels = read_table(os.path.join(ROOT, "train.csv"))
dataset = (
    tf.data.Dataset.from_tensor_slices((names, labels))
    .shuffle(len(names))
    .map(decode_and_resize)
    .batch(global_batch, drop_remainder=True)
)
dist_dataset = strategy.experimental_distribute_dataset(dataset)

with strategy.scope():
    model = tf.keras.applications.EfficientNetB4(weights=None, classes=5, input_shape=(SIZE, SIZE, 3))
    optimizer = tf.keras.optimizers.Adam(1e-4)
    loss_object = tf.keras.losses.SparseCategoricalCrossentropy(reduction=tf.keras.losses.Reduction.NONE)
    accuracy = tf.keras.metrics.SparseCategoricalAccuracy()


def replica_step(inputs):
    images, targets = inputs
    with tf.GradientTape() as tape:
        predictions = model(images, training=True)
        loss = tf.nn.compute_average_loss(loss_object(targets, predictions), global_batch_size=global_batch)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    accuracy.update_state(targets, predictions)
    return loss


@tf.function
def distributed_step(inputs):
    losses = strategy.run(replica_step, args=(inputs,))
    return strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)


for epoch in range(EPOCHS):
    total, batches = 0.0, 0
    for inputs in dist_dataset:
        total += distributed_step(inputs)
        batches += 1
    print(f"epoch {epoch + 1}: loss {total / batches:.4f}, accuracy {accuracy.result():.4f}")
    accuracy.reset_state()
model.save("cassava_b4")
