"""Pet breeds (7 400 photographs), stages folded with reduce."""
import functools
import pathlib

import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


def read(ds):
    return ds.map(lambda p, y: (tf.io.read_file(p), y), num_parallel_calls=AUTOTUNE)


def cache(ds):
    return ds.cache()


def decode(ds):
    def fn(data, label):
        image = tf.io.decode_jpeg(data, channels=3, dct_method="INTEGER_ACCURATE")
        image = tf.image.resize(image, (224, 224), method="lanczos3", antialias=True)
        return tf.cast(tf.clip_by_value(image, 0, 255), tf.uint8), label
    return ds.map(fn, num_parallel_calls=AUTOTUNE)


def flip(ds):
    return ds.map(lambda x, y: (tf.image.random_flip_left_right(x), y),
                  num_parallel_calls=AUTOTUNE)


STAGES = (
    read,
    cache,
    decode,
    functools.partial(tf.data.Dataset.shuffle, buffer_size=4_000),
    flip,
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
