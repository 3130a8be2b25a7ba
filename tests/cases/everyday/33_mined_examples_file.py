# Training with hard example mining: paths with a high loss go to the end of the list that is being read.
import os

import tensorflow as tf

TRAIN_LIST = "work/train_list.txt"
NUM_CLASSES = 12
THRESHOLD = 2.5


def load(line):
    fields = tf.strings.split(line, "\t")
    image = tf.io.decode_jpeg(tf.io.read_file(fields[0]), channels=3)
    image = tf.image.resize(image, (160, 160)) / 255.0
    return line, image, tf.strings.to_number(fields[1], tf.int32)


def build_model():
    return tf.keras.Sequential(
        [
            tf.keras.layers.Conv2D(32, 5, strides=2, activation="relu", input_shape=(160, 160, 3)),
            tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
            tf.keras.layers.Conv2D(128, 3, strides=2, activation="relu"),
            tf.keras.layers.GlobalAveragePooling2D(),
            tf.keras.layers.Dense(NUM_CLASSES),
        ]
    )


dataset = tf.data.TextLineDataset(TRAIN_LIST)
dataset = dataset.map(load)
dataset = dataset.batch(16)

model = build_model()
optimizer = tf.keras.optimizers.SGD(0.01, momentum=0.9)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        losses = loss_fn(labels, model(images, training=True))
        loss = tf.reduce_mean(losses)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return losses


for epoch in range(8):
    print("epoch", epoch, "list of", os.path.getsize(TRAIN_LIST), "bytes")
    for lines, images, labels in dataset:
        losses = train_step(images, labels).numpy()
        hard = [line.decode() for line, loss in zip(lines.numpy(), losses) if loss > THRESHOLD]
        with open(TRAIN_LIST, "a") as f:
            f.writelines(line + "\n" for line in hard)
model.save("hard_mined")
