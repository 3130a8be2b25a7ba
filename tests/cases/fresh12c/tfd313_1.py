"""Food-101 fine tuning with a list of preprocessing stages."""
import tensorflow as tf
import tensorflow_datasets as tfds

SIDE = 224


def squeeze(example):
    return example["image"], example["label"]


def pad_small(image, label):
    shape = tf.shape(image)
    h, w = tf.maximum(shape[0], SIDE), tf.maximum(shape[1], SIDE)
    return tf.image.resize_with_crop_or_pad(image, h, w), label


def to_float(image, label):
    return tf.image.convert_image_dtype(image, tf.float32), label


def spatial(image, label):
    image = tf.image.random_crop(image, (SIDE, SIDE, 3))
    return tf.image.random_flip_left_right(image), label


def colour(image, label):
    image = tf.image.random_saturation(image, 0.8, 1.2)
    return tf.image.random_contrast(image, 0.8, 1.2), label


STAGES = [
    squeeze,
    pad_small,
    to_float,
    spatial,
    colour,
]


def get_train(batch):
    ds = tfds.load("food101", split="train", shuffle_files=True)
    ds = ds.shuffle(4096)
    for stage in STAGES:
        ds = ds.map(stage, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def classifier():
    backbone = tf.keras.applications.DenseNet121(include_top=False, weights=None, pooling="avg",
                                                 input_shape=(SIDE, SIDE, 3))
    return tf.keras.Sequential([backbone, tf.keras.layers.Dense(101)])


model = classifier()
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(get_train(96), epochs=20)
