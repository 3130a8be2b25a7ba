"""Action recognition on short clips with a composable input pipeline."""
from functools import partial, reduce

import tensorflow as tf
import tensorflow_datasets as tfds

FRAMES, SIZE, BATCH = 16, 112, 32


def sample_frames(example):
    video = tf.cast(example["video"][:FRAMES], tf.float32) / 255.0
    video = tf.image.resize(video, [SIZE, SIZE])
    return tf.ensure_shape(video, [FRAMES, SIZE, SIZE, 3]), example["label"]


def shuffled(ds, n):
    return ds.shuffle(n)


def mapped(ds, fn):
    return ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)


def batched(ds, n):
    return ds.batch(n, drop_remainder=True)


def buffered(ds, n):
    return ds.prefetch(n)


def compose(ds, *stages):
    return reduce(lambda acc, stage: stage(acc), stages, ds)


def train_data():
    raw = tfds.load("ucf101", split="train", shuffle_files=True)
    return compose(
        raw,
        partial(shuffled, n=256),
        partial(mapped, fn=sample_frames),
        partial(batched, n=BATCH),
        partial(buffered, n=100),
    )


def build_model():
    return tf.keras.Sequential([
        tf.keras.Input((FRAMES, SIZE, SIZE, 3)),
        tf.keras.layers.Conv3D(32, 3, strides=2, activation="relu"),
        tf.keras.layers.Conv3D(64, 3, strides=2, activation="relu"),
        tf.keras.layers.GlobalAveragePooling3D(),
        tf.keras.layers.Dense(101, activation="softmax"),
    ])


if __name__ == "__main__":
    model = build_model()
    model.compile("adam", "sparse_categorical_crossentropy", ["accuracy"])
    model.fit(train_data(), epochs=40)
