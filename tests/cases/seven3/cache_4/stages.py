import tensorflow as tf


def _decode(record):
    ex = tf.io.parse_single_example(record, {"tile": tf.io.FixedLenFeature([], tf.string),
                                             "cover": tf.io.FixedLenFeature([], tf.int64)})
    return ex["tile"], ex["cover"]


def _render(tile, cover):
    image = tf.io.decode_png(tile, channels=3, dtype=tf.uint16)
    image = tf.image.resize(image, (96, 96), antialias=True) / 65535.0
    return image, cover


def _flip(image, cover):
    return tf.image.random_flip_up_down(tf.image.random_flip_left_right(image)), cover


FUNCTIONS = {"decode": _decode, "render": _render, "flip": _flip}


def build(ds, recipe):
    for name, *args in recipe:
        if name in FUNCTIONS:
            ds = ds.map(FUNCTIONS[name], num_parallel_calls=tf.data.AUTOTUNE)
        else:
            ds = getattr(ds, name)(*args)
    return ds.prefetch(tf.data.AUTOTUNE)
