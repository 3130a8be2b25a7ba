"""Ablation runs. Everything is seeded: two runs with one seed must give the same curves."""
import os
import random

import numpy as np
import tensorflow as tf

SEED = 1234
STEPS_PER_EPOCH = 150
EPOCHS = 20

random.seed(SEED)
np.random.seed(SEED)
tf.random.set_seed(SEED)

folder = 'data/cells'
files = np.array(sorted(os.path.join(folder, name) for name in os.listdir(folder)))
labels = np.array([name.rsplit('_', 1)[-1] == 'infected.png' for name in files], dtype=np.int32)


def load_and_augment(path, label):
    image = tf.image.decode_png(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, [140, 140]) / 255.
    image = tf.image.random_crop(image, [128, 128, 3])
    image = tf.image.random_flip_left_right(image)
    image = tf.image.random_brightness(image, 0.1)
    return image, label


train = tf.data.Dataset.from_tensor_slices((files, labels))
train = train.shuffle(len(files))
train = train.map(load_and_augment)
train = train.batch(32, drop_remainder=True)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation='relu', input_shape=(128, 128, 3)),
    tf.keras.layers.MaxPool2D(),
    tf.keras.layers.Conv2D(64, 3, activation='relu'),
    tf.keras.layers.GlobalMaxPool2D(),
    tf.keras.layers.Dense(2)])
optimizer = tf.keras.optimizers.RMSprop(1e-3)
criterion = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = criterion(y, model(x, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


curve = []
for epoch in range(EPOCHS):
    for step, (x, y) in enumerate(train):
        if step == STEPS_PER_EPOCH:
            break
        curve.append(float(train_step(x, y)))
    print('epoch %d: %.4f' % (epoch, np.mean(curve[-STEPS_PER_EPOCH:])))
np.save('curve_%d.npy' % SEED, curve)
