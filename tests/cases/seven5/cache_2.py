"""Flower classifier; the record cache is on the local SSD."""
import functools

import tensorflow as tf
import keras

AUTO = tf.data.AUTOTUNE


def compose(ds, *stages):
    return functools.reduce(lambda acc, stage: stage(acc), stages, ds)


def read(ds):
    return ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTO)


def local_cache(ds):
    return ds.cache("/scratch/flowers/train")


def decode(ds):
    def fn(record):
        ex = tf.io.parse_single_example(record, {
            "image": tf.io.FixedLenFeature([], tf.string),
            "class": tf.io.FixedLenFeature([], tf.int64),
        })
        image = tf.io.decode_jpeg(ex["image"], channels=3)
        return tf.image.resize(image, (192, 192)) / 255.0, ex["class"]

    return ds.map(fn, num_parallel_calls=AUTO)


def shuffled(ds):
    return ds.shuffle(2048, reshuffle_each_iteration=True)


def batched(ds):
    return ds.batch(64, drop_remainder=True).prefetch(AUTO)


train = compose(
    tf.data.Dataset.list_files("/mnt/nfs/flowers/train-*.tfrec"),
    read, local_cache, decode, shuffled, batched,
)
model = keras.applications.MobileNetV3Small(weights=None, input_shape=(192, 192, 3), classes=104)
optimizer = keras.optimizers.SGD(0.1, momentum=0.9)
loss_fn = keras.losses.SparseCategoricalCrossentropy()


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(images, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply(grads, model.trainable_variables)
    return loss


for epoch in range(90):
    for images, labels in train:
        loss = train_step(images, labels)
    print(epoch, float(loss))
