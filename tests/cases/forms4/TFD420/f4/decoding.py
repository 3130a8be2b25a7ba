import tensorflow as tf


def decode_record(record):
    example = tf.io.parse_single_example(record, {
        "jpg_or_png": tf.io.FixedLenFeature([], tf.string),
        "sign": tf.io.FixedLenFeature([], tf.int64),
    })
    image = tf.io.decode_image(example["jpg_or_png"], channels=3, expand_animations=True)
    return tf.image.convert_image_dtype(image, tf.float32), example["sign"]
