"""Pet breeds with the decoded pictures held in memory."""
import functools
import pathlib

import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


def decode(ds):
    def fn(path, label):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        image = tf.image.resize(image, (224, 224), antialias=True)
        return tf.cast(tf.clip_by_value(image, 0, 255), tf.uint8), label
    return ds.map(fn, num_parallel_calls=AUTOTUNE)


def cache(ds):
    return ds.cache()


def jitter(ds):
    def fn(image, label):
        image = tf.image.random_flip_left_right(image)
        return tf.image.random_brightness(image, 0.1), label
    return ds.map(fn, num_parallel_calls=AUTOTUNE)


STAGES = (
    decode,
    cache,
    functools.partial(tf.data.Dataset.shuffle, buffer_size=4_000),
    jitter,
    functools.partial(tf.data.Dataset.batch, batch_size=64, drop_remainder=True),
    functools.partial(tf.data.Dataset.prefetch, buffer_size=AUTOTUNE),
)


def pets(root):
    breeds = sorted(p.name for p in root.iterdir() if p.is_dir())
    files = [(str(f), i) for i, b in enumerate(breeds) for f in (root / b).glob("*.jpg")]
    start = tf.data.Dataset.from_tensor_slices(tuple(map(list, zip(*files))))
    return functools.reduce(lambda ds, stage: stage(ds), STAGES, start), len(breeds)


if __name__ == "__main__":
    train, classes = pets(pathlib.Path("/data/pets"))
    model = tf.keras.Sequential([
        tf.keras.layers.Rescaling(1 / 127.5, -1),
        tf.keras.applications.MobileNetV2(weights=None, classes=classes),
    ])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(train, epochs=60)
