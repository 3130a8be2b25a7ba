"""Street signs: ragged JPEGs per element, arithmetic per batch."""
import glob

import tensorflow as tf

_REGISTRY = {"element": [], "batch": []}


def transform(level):
    def register(fn):
        _REGISTRY[level].append(fn)
        return fn
    return register


@transform("element")
def decode(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.cast(tf.image.resize(image, (64, 64)), tf.uint8), label


@transform("batch")
def scale(images, labels):
    return tf.cast(images, tf.float32) / 127.5 - 1.0, tf.one_hot(labels, 43)


def pipeline(root, batch_size=256):
    files = sorted(glob.glob(f"{root}/*/*.jpg"))
    labels = [int(f.split("/")[-2]) for f in files]
    ds = tf.data.Dataset.from_tensor_slices((files, labels)).shuffle(len(files))
    for fn in _REGISTRY["element"]:
        ds = ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size, drop_remainder=True)
    for fn in _REGISTRY["batch"]:
        ds = ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.Conv2D(64, 3, 2, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(43, activation="softmax"),
    ])
    model.compile("adam", "categorical_crossentropy")
    model.fit(pipeline("/data/signs"), epochs=20)
