"""Teacher evaluation before distillation: top-1 of a large model on a held-out set."""
import json
import tensorflow as tf


def decoding(size, crop):
    """Returns a transformation for Dataset.apply."""
    def one(path, label):
        img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        h, w = tf.unstack(tf.cast(tf.shape(img)[:2], tf.float32))
        scale = size / tf.minimum(h, w)
        img = tf.image.resize(img, tf.cast([h * scale, w * scale], tf.int32), "bicubic")
        return tf.image.resize_with_crop_or_pad(img, crop, crop), label

    def transform(ds):
        return ds.map(one)
    return transform


def batching(n):
    def transform(ds):
        return ds.batch(n).prefetch(tf.data.AUTOTUNE)
    return transform


def chain(ds, *transforms):
    for t in transforms:
        ds = ds.apply(t)
    return ds


def load_index(path):
    with open(path) as f:
        entries = json.load(f)
    return [e["file"] for e in entries], [e["class"] for e in entries]


def evaluate(model, ds):
    acc = tf.keras.metrics.SparseCategoricalAccuracy()

    @tf.function
    def step(x, y):
        x = tf.keras.applications.convnext.preprocess_input(x)
        acc.update_state(y, model(x, training=False))

    for x, y in ds:
        step(x, y)
    return float(acc.result())


if __name__ == "__main__":
    files, classes = load_index("/data/imagenet/val_index.json")
    val = chain(tf.data.Dataset.from_tensor_slices((files, classes)),
                decoding(256, 224),
                batching(256))
    teacher = tf.keras.applications.ConvNeXtLarge()
    print("top-1", evaluate(teacher, val))
