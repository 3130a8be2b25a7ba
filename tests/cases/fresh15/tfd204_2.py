import functools
import logging

import tensorflow as tf

logging.basicConfig(level=logging.INFO)
log = logging.getLogger("xray")


def traced(fn):
    @functools.wraps(fn)
    def inner(path, *rest):
        log.info("%s: processing %s", fn.__name__, path)
        return fn(path, *rest)

    return inner


@traced
def load_xray(path, finding):
    raw = tf.io.read_file(path)
    image = tf.io.decode_png(raw, channels=1)
    image = tf.image.resize(image, (512, 512))
    return tf.cast(image, tf.float32) / 255.0, finding


def read_manifest(path):
    files, findings = [], []
    with open(path) as handle:
        for line in handle:
            name, finding = line.rstrip("\n").split(",")
            files.append(f"/data/xray/{name}")
            findings.append(float(finding))
    return files, findings


def make_dataset(manifest, training, batch_size=16):
    files, findings = read_manifest(manifest)
    log.info("%d studies in %s", len(files), manifest)
    ds = tf.data.Dataset.from_tensor_slices((files, findings))
    if training:
        ds = ds.shuffle(len(files))
    ds = ds.map(load_xray, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def train():
    model = tf.keras.Sequential([tf.keras.Input((512, 512, 1))])
    for width in (32, 64, 128, 256):
        model.add(tf.keras.layers.Conv2D(width, 3, strides=2, activation="relu"))
        model.add(tf.keras.layers.BatchNormalization())
    model.add(tf.keras.layers.GlobalAveragePooling2D())
    model.add(tf.keras.layers.Dense(1, activation="sigmoid"))
    model.compile("adam", "binary_crossentropy", metrics=[tf.keras.metrics.AUC()])
    model.fit(
        make_dataset("train.csv", True),
        validation_data=make_dataset("valid.csv", False),
        epochs=12,
    )


if __name__ == "__main__":
    train()
