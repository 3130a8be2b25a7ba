import functools

import tensorflow.compat.v2 as tf
import tensorflow_datasets as tfds

# The training boxes have 32 cores.
NUM_CORES = 32
WORKERS = NUM_CORES // 2


def parallel(fn):
    """Returns a transformation for `Dataset.apply`."""
    def transform(ds):
        return ds.map(fn, num_parallel_calls=WORKERS)
    return transform


def encode(example, size):
    image = tf.image.resize(example["image"], [size, size])
    return tf.cast(image, tf.float32) / 127.5 - 1.0, example["label"]


def flip(image, label):
    return tf.image.random_flip_left_right(image), label


def make(split, size, batch):
    ds = tfds.load(
        "food101", split=split, shuffle_files=split == "train",
        decoders={"image": tfds.decode.SkipDecoding()})
    if split == "train":
        ds = ds.shuffle(5_000)

    def decode(example):
        return {**example, "image": tf.io.decode_jpeg(example["image"], channels=3)}

    stages = [decode, functools.partial(encode, size=size)]
    if split == "train":
        stages.append(flip)

    def run_all(example):
        out = example
        for stage in stages:
            out = stage(*out) if isinstance(out, tuple) else stage(out)
        return out

    return ds.apply(parallel(run_all)).batch(batch).prefetch(tf.data.AUTOTUNE)


def main():
    model = tf.keras.applications.MobileNetV2(weights=None, classes=101)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(
        make("train", 224, 64), validation_data=make("validation", 224, 64), epochs=20)


if __name__ == "__main__":
    main()
