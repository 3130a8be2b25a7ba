import tensorflow as tf

SIDE = 512
MAX_BOXES = 100


def read_example(record):
    ex = tf.io.parse_single_example(record, {
        "image/encoded": tf.io.FixedLenFeature([], tf.string),
        "image/object/bbox": tf.io.VarLenFeature(tf.float32),
        "image/object/class": tf.io.VarLenFeature(tf.int64),
    })
    return {
        "image": tf.io.decode_jpeg(ex["image/encoded"], channels=3),
        "boxes": tf.reshape(tf.sparse.to_dense(ex["image/object/bbox"]), (-1, 4)),
        "classes": tf.sparse.to_dense(ex["image/object/class"]),
    }


def random_flip(sample):
    if tf.random.uniform(()) < 0.5:
        y0, x0, y1, x1 = tf.unstack(sample["boxes"], axis=-1)
        return {**sample, "image": tf.image.flip_left_right(sample["image"]),
                "boxes": tf.stack([y0, 1.0 - x1, y1, 1.0 - x0], axis=-1)}
    return sample


def letterbox(sample):
    return {**sample, "image": tf.image.resize_with_pad(sample["image"], SIDE, SIDE)}


def pad_boxes(sample):
    n = tf.minimum(tf.shape(sample["classes"])[0], MAX_BOXES)
    pad = MAX_BOXES - n
    boxes = tf.ensure_shape(tf.pad(sample["boxes"][:n], [[0, pad], [0, 0]]), (MAX_BOXES, 4))
    classes = tf.ensure_shape(tf.pad(sample["classes"][:n], [[0, pad]], constant_values=-1), (MAX_BOXES,))
    return sample["image"], {"boxes": boxes, "classes": classes}


TRAIN = [read_example, random_flip, letterbox, pad_boxes]
