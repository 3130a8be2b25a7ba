"""Kaggle steel / satellite segmentation with albumentations behind a decorator."""
import functools

import albumentations as A
import numpy as np
import tensorflow as tf

TRAIN_AUG = A.Compose([
    A.RandomResizedCrop(height=384, width=384, scale=(0.5, 1.0)),
    A.ShiftScaleRotate(p=0.7),
    A.ElasticTransform(p=0.3),
    A.RandomBrightnessContrast(p=0.5),
    A.HorizontalFlip(p=0.5),
])


def numpy_op(*dtypes, shapes=None):
    """Turns a numpy function into something usable in Dataset.map."""
    def wrap(fn):
        @functools.wraps(fn)
        def inner(*tensors):
            outs = tf.numpy_function(fn, tensors, list(dtypes))
            for o, s in zip(outs, shapes or ()):
                o.set_shape(s)
            return tuple(outs)
        return inner
    return wrap


@numpy_op(tf.uint8, tf.uint8, shapes=[(384, 384, 3), (384, 384)])
def albument(image, mask):
    out = TRAIN_AUG(image=image, mask=mask)
    return out["image"], out["mask"].astype(np.uint8)


def parse(rec):
    ex = tf.io.parse_single_example(rec, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "mask": tf.io.FixedLenFeature([], tf.string)})
    return (tf.io.decode_jpeg(ex["image"], channels=3),
            tf.io.decode_png(ex["mask"], channels=1)[..., 0])


def normalize(image, mask):
    image = tf.cast(image, tf.float32) / 255.0
    mean, std = tf.constant([0.485, 0.456, 0.406]), tf.constant([0.229, 0.224, 0.225])
    return (image - mean) / std, tf.cast(mask, tf.int32)


def get_train_dataset(pattern, batch_size):
    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(pattern), num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(2000)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(albument, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size, drop_remainder=True)
    ds = ds.map(normalize, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def fpn(classes):
    base = tf.keras.applications.EfficientNetB4(include_top=False, input_shape=(384, 384, 3))
    x = base.get_layer("block6a_expand_activation").output
    x = tf.keras.layers.Conv2D(128, 3, padding="same", activation="relu")(x)
    x = tf.keras.layers.Conv2D(classes, 1)(x)
    return tf.keras.Model(base.input, tf.keras.layers.UpSampling2D(16, interpolation="bilinear")(x))


if __name__ == "__main__":
    model = fpn(7)
    model.compile(tf.keras.optimizers.Adam(2e-4),
                  tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(get_train_dataset("gs://kds-land/train/*.tfrec", 16), epochs=60)
