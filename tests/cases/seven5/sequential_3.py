"""Segmentation of pets: a small U-Net and a custom loop."""
import tensorflow as tf
import tensorflow_datasets as tfds
import keras
from keras import layers

SIZE = (192, 192)


def resize(sample):
    image = tf.image.resize(sample["image"], SIZE)
    mask = tf.image.resize(sample["segmentation_mask"], SIZE, method="nearest")
    return image, mask


def scale(image, mask):
    return image / 255.0, tf.cast(mask, tf.int32) - 1


def mirror(image, mask):
    do = tf.random.uniform(()) > 0.5
    image = tf.cond(do, lambda: tf.image.flip_left_right(image), lambda: image)
    mask = tf.cond(do, lambda: tf.image.flip_left_right(mask), lambda: mask)
    return image, mask


def colour(image, mask):
    image = tf.image.random_brightness(image, 0.2)
    image = tf.image.random_saturation(image, 0.8, 1.2)
    return image, mask


TRAIN_STEPS = [resize, scale, mirror, colour]


def build(ds, steps, batch_size=32):
    ds = ds.shuffle(1000)
    for step in steps:
        ds = ds.map(step)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def unet():
    inputs = layers.Input((*SIZE, 3))
    a = layers.Conv2D(32, 3, padding="same", activation="relu")(inputs)
    b = layers.Conv2D(64, 3, strides=2, padding="same", activation="relu")(a)
    c = layers.Conv2DTranspose(32, 3, strides=2, padding="same", activation="relu")(b)
    return keras.Model(inputs, layers.Conv2D(3, 1)(layers.Concatenate()([a, c])))


model, optimizer = unet(), keras.optimizers.Adam(1e-3)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(image, mask):
    with tf.GradientTape() as tape:
        loss = loss_fn(mask, model(image, training=True))
    optimizer.apply(tape.gradient(loss, model.trainable_variables), model.trainable_variables)
    return loss


train = build(tfds.load("oxford_iiit_pet:4.0.0", split="train", shuffle_files=True), TRAIN_STEPS)
for epoch in range(60):
    for image, mask in train:
        loss = train_step(image, mask)
    print(epoch, float(loss))
