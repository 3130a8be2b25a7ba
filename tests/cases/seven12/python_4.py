import functools

import albumentations as A
import tensorflow as tf

AUTO = tf.data.AUTOTUNE
POLICY = A.Compose([
    A.RandomResizedCrop((224, 224)),
    A.HorizontalFlip(),
    A.ColorJitter(),
    A.CoarseDropout(),
])


def numpy_op(*out_types):
    def wrap(fn):
        @functools.wraps(fn)
        def inner(*tensors):
            return tf.numpy_function(fn, tensors, list(out_types))
        return inner
    return wrap


@numpy_op(tf.uint8)
def augment(image):
    return POLICY(image=image)["image"]


def decode(raw):
    ex = tf.io.parse_single_example(raw, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64),
    })
    return tf.io.decode_jpeg(ex["image"], channels=3), ex["label"]


def train_transform(image, label):
    (image,) = augment(image)
    image = tf.ensure_shape(image, (224, 224, 3))
    return tf.cast(image, tf.float32) / 255.0, label


def build_train(pattern, batch_size):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTO)
    ds = ds.shuffle(10000).map(decode, num_parallel_calls=AUTO)
    ds = ds.map(train_transform, num_parallel_calls=AUTO)
    return ds.batch(batch_size, drop_remainder=True).prefetch(AUTO)


if __name__ == "__main__":
    model = tf.keras.applications.EfficientNetV2B0(weights=None, classes=1000)
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(build_train("/data/imagenet/train-*", 256), epochs=60)
