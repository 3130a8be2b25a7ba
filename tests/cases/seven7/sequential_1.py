"""SSD300 training on COCO 2017 (118k images). Augmentations live in a registry."""
import collections

import tensorflow as tf
from absl import app, flags

flags.DEFINE_string("coco", "/data/coco/train2017-*.tfrecord", "")
flags.DEFINE_list("augment", ["photometric", "hflip", "zoom_out"], "names, in order")
flags.DEFINE_integer("batch", 32, "")
flags.DEFINE_integer("epochs", 120, "")
FLAGS = flags.FLAGS

AUGMENT = collections.OrderedDict()
MAX_BOXES = 100


def augmentation(fn):
    AUGMENT[fn.__name__] = fn
    return fn


@augmentation
def photometric(img, boxes, cls):
    img = tf.image.random_brightness(img, 0.125)
    img = tf.image.random_saturation(img, 0.5, 1.5)
    img = tf.image.random_hue(img, 0.07)
    return tf.clip_by_value(img, 0.0, 1.0), boxes, cls


@augmentation
def hflip(img, boxes, cls):
    if tf.random.uniform([]) > 0.5:
        img = tf.image.flip_left_right(img)
        y0, x0, y1, x1 = tf.unstack(boxes, axis=-1)
        boxes = tf.stack([y0, 1.0 - x1, y1, 1.0 - x0], axis=-1)
    return img, boxes, cls


@augmentation
def zoom_out(img, boxes, cls):
    ratio = tf.random.uniform([], 1.0, 3.0)
    size = tf.cast(300.0 * ratio, tf.int32)
    off = tf.random.uniform([2], 0, size - 299, dtype=tf.int32)
    img = tf.image.pad_to_bounding_box(img, off[0], off[1], size, size)
    shift = tf.cast(tf.concat([off, off], 0), tf.float32)
    boxes = (boxes * 300.0 + shift) / tf.cast(size, tf.float32)
    return tf.image.resize(img, [300, 300]), boxes, cls


def parse(rec):
    ex = tf.io.parse_single_example(rec, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "boxes": tf.io.VarLenFeature(tf.float32),
        "cls": tf.io.VarLenFeature(tf.int64)})
    img = tf.io.decode_jpeg(ex["image"], channels=3)
    img = tf.image.resize(tf.image.convert_image_dtype(img, tf.float32), [300, 300])
    boxes = tf.reshape(tf.sparse.to_dense(ex["boxes"]), [-1, 4])[:MAX_BOXES]
    cls = tf.sparse.to_dense(ex["cls"])[:MAX_BOXES]
    return img, boxes, cls


def pad(img, boxes, cls):
    n = MAX_BOXES - tf.shape(boxes)[0]
    boxes = tf.ensure_shape(tf.pad(boxes, [[0, n], [0, 0]]), [MAX_BOXES, 4])
    cls = tf.ensure_shape(tf.pad(cls, [[0, n]], constant_values=-1), [MAX_BOXES])
    return tf.ensure_shape(img, [300, 300, 3]), {"boxes": boxes, "cls": cls}


def detection_dataset(names):
    files = tf.data.Dataset.list_files(FLAGS.coco)
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=8,
                          num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(4096).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    for name in names:
        ds = ds.map(AUGMENT[name])
    ds = ds.map(pad, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(FLAGS.batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main(_):
    from models.ssd import build_ssd, MultiboxLoss
    model = build_ssd(backbone="vgg16", classes=81)
    model.compile(tf.keras.optimizers.SGD(1e-3, momentum=0.9), loss=MultiboxLoss())
    model.fit(detection_dataset(FLAGS.augment), epochs=FLAGS.epochs)


if __name__ == "__main__":
    app.run(main)
