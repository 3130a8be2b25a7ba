"""iNaturalist fine-grained classifier. Runs on 1x V100."""
import argparse

import tensorflow as tf
from tensorflow.keras import backend as K
from tensorflow.keras import layers

K.set_image_data_format("channels_first")

AUTO = tf.data.AUTOTUNE
SIZE = 224


def parse(rec):
    ex = tf.io.parse_single_example(rec, {
        "image/encoded": tf.io.FixedLenFeature([], tf.string),
        "image/class/label": tf.io.FixedLenFeature([], tf.int64)})
    img = tf.io.decode_jpeg(ex["image/encoded"], channels=3)
    img = tf.image.resize(img, [SIZE + 32, SIZE + 32])
    img = tf.image.random_crop(img, [SIZE, SIZE, 3])
    img = tf.image.random_flip_left_right(img) / 127.5 - 1.0
    return tf.transpose(img, [2, 0, 1]), ex["image/class/label"]


def dataset(pattern, batch):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=AUTO)
    ds = ds.shuffle(8192).map(parse, num_parallel_calls=AUTO)
    return ds.batch(batch, drop_remainder=True).prefetch(AUTO)


def bottleneck(x, f, stride=1):
    skip = x
    y = layers.Conv2D(f, 1, stride, use_bias=False)(x)
    y = layers.ReLU()(layers.BatchNormalization(axis=1)(y))
    y = layers.Conv2D(f, 3, padding="same", use_bias=False)(y)
    y = layers.ReLU()(layers.BatchNormalization(axis=1)(y))
    y = layers.BatchNormalization(axis=1)(layers.Conv2D(4 * f, 1, use_bias=False)(y))
    if stride != 1 or x.shape[1] != 4 * f:
        skip = layers.BatchNormalization(axis=1)(layers.Conv2D(4 * f, 1, stride, use_bias=False)(x))
    return layers.ReLU()(layers.Add()([y, skip]))


def resnet(classes, depths=(3, 4, 6, 3)):
    inp = tf.keras.Input([3, SIZE, SIZE])
    x = layers.Conv2D(64, 7, 2, "same", use_bias=False)(inp)
    x = layers.ReLU()(layers.BatchNormalization(axis=1)(x))
    x = layers.MaxPool2D(3, 2, "same")(x)
    for i, n in enumerate(depths):
        for j in range(n):
            x = bottleneck(x, 64 * 2 ** i, 2 if i and j == 0 else 1)
    x = layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inp, layers.Dense(classes)(x))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", default="/data/inat2021/train-*.tfrecord")
    ap.add_argument("--classes", type=int, default=10_000)
    ap.add_argument("--batch", type=int, default=128)
    a = ap.parse_args()
    model = resnet(a.classes)
    model.compile(tf.keras.optimizers.SGD(0.05, momentum=0.9),
                  tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=["sparse_top_k_categorical_accuracy"])
    model.fit(dataset(a.data, a.batch), epochs=60)


if __name__ == "__main__":
    main()
