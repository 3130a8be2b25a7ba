import keras
from keras import layers
import tensorflow as tf
import tensorflow_datasets as tfds

IMAGE_SIZE = 128
BATCH_SIZE = 64


def to_pair(example):
    image = tf.image.resize(example["image"], [IMAGE_SIZE, IMAGE_SIZE]) / 255.0
    mask = tf.image.resize(example["segmentation_mask"], [IMAGE_SIZE, IMAGE_SIZE], method="nearest")
    return image, mask - 1


def build_augmenter(enabled=True):
    stages = [layers.RandomContrast(0.2)]
    if enabled:
        stages += [layers.RandomFlip("horizontal"), layers.RandomRotation(0.05)]
    return keras.Sequential(stages)


def make_dataset(split, *, training):
    ds = tfds.load("oxford_iiit_pet:3.*.*", split=split, shuffle_files=training)
    ds = ds.map(to_pair, num_parallel_calls=tf.data.AUTOTUNE).cache()
    if training:
        augmenter = build_augmenter()
        ds = ds.shuffle(1_000)
        ds = ds.batch(BATCH_SIZE)
        ds = ds.map(
            lambda images, masks: (augmenter(images, training=True), masks),
            num_parallel_calls=tf.data.AUTOTUNE,
        )
    else:
        ds = ds.batch(BATCH_SIZE)
    return ds.prefetch(tf.data.AUTOTUNE)


def build_model():
    inputs = keras.Input((IMAGE_SIZE, IMAGE_SIZE, 3))
    x = layers.Conv2D(64, 3, strides=2, padding="same", activation="relu")(inputs)
    x = layers.Conv2D(128, 3, strides=2, padding="same", activation="relu")(x)
    x = layers.Conv2DTranspose(64, 3, strides=2, padding="same", activation="relu")(x)
    x = layers.Conv2DTranspose(32, 3, strides=2, padding="same", activation="relu")(x)
    return keras.Model(inputs, layers.Conv2D(3, 1, activation="softmax")(x))


def main():
    model = build_model()
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(
        make_dataset("train", training=True),
        validation_data=make_dataset("test", training=False),
        epochs=20,
    )


if __name__ == "__main__":
    main()
