"""Albumentations inside tf.data through a small decorator."""
import functools

import albumentations as A
import tensorflow as tf

SIZE = 384
augment = A.Compose([
    A.HorizontalFlip(p=0.5),
    A.ShiftScaleRotate(rotate_limit=15, p=0.7),
    A.HueSaturationValue(p=0.4),
    A.CoarseDropout(p=0.3),
])


def numpy_stage(dtype, shape):
    def wrap(fn):
        @functools.wraps(fn)
        def stage(image, *rest):
            out = tf.numpy_function(fn, [image], dtype)
            out.set_shape(shape)
            return (out, *rest)

        return stage

    return wrap


@numpy_stage(tf.uint8, (SIZE, SIZE, 3))
def augmented(image):
    return augment(image=image)["image"]


def decode(record):
    f = tf.io.parse_single_example(record, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "target": tf.io.FixedLenFeature([], tf.int64),
    })
    img = tf.io.decode_jpeg(f["image"], channels=3)
    img = tf.cast(tf.image.resize(img, [SIZE, SIZE]), tf.uint8)
    return img, f["target"]


def get_training_dataset(pattern, batch):
    files = tf.data.Dataset.list_files(pattern, shuffle=True)
    ds = files.interleave(
        tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False
    )
    ds = ds.shuffle(4096).repeat()
    for fn in (decode, augmented):
        ds = ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    model = tf.keras.applications.EfficientNetB3(
        weights=None, classes=5, input_shape=(SIZE, SIZE, 3)
    )
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(get_training_dataset("/kaggle/input/cassava/*.tfrec", 32), steps_per_epoch=600, epochs=20)


if __name__ == "__main__":
    main()
