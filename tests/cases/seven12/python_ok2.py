import functools

import tensorflow as tf

AUTO = tf.data.AUTOTUNE


def py_function(fn):
    """Compiles a plain Python function into a graph."""
    compiled = tf.function(fn)

    @functools.wraps(fn)
    def inner(*args):
        return compiled(*args)
    return inner


@py_function
def augment(image, label):
    image = tf.image.random_flip_left_right(image)
    return tf.image.random_brightness(image, 0.2), label


def decode(raw):
    ex = tf.io.parse_single_example(raw, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64),
    })
    image = tf.io.decode_jpeg(ex["image"], channels=3)
    return tf.image.resize(image, (224, 224)) / 255.0, ex["label"]


def build(pattern):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTO)
    ds = ds.shuffle(10000).map(decode, num_parallel_calls=AUTO)
    ds = ds.map(augment, num_parallel_calls=AUTO)
    return ds.batch(256).prefetch(AUTO)


if __name__ == "__main__":
    model = tf.keras.applications.ResNet50(weights=None, classes=1000)
    model.compile("sgd", "sparse_categorical_crossentropy")
    model.fit(build("/data/imagenet/train-*"), epochs=90)
