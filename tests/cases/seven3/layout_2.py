import functools

import tensorflow as tf
from tensorflow.keras import layers

FMT = "channels_first"
Conv = functools.partial(layers.Conv2D, padding="same", use_bias=False, data_format=FMT)
Norm = functools.partial(layers.BatchNormalization, axis=1)


def residual(x, filters, stride):
    shortcut = x
    if stride > 1 or x.shape[1] != filters:
        shortcut = Norm()(Conv(filters, 1, strides=stride)(x))
    y = layers.ReLU()(Norm()(Conv(filters, 3, strides=stride)(x)))
    y = Norm()(Conv(filters, 3)(y))
    return layers.ReLU()(layers.add([shortcut, y]))


def resnet20(num_classes):
    inputs = tf.keras.Input((3, 32, 32))
    x = layers.ReLU()(Norm()(Conv(16, 3)(inputs)))
    for stage, filters in enumerate((16, 32, 64)):
        for block in range(3):
            x = residual(x, filters, 2 if stage and not block else 1)
    x = layers.GlobalAveragePooling2D(data_format=FMT)(x)
    return tf.keras.Model(inputs, layers.Dense(num_classes)(x))


def parse(records):
    ex = tf.io.parse_example(records, {"image": tf.io.FixedLenFeature([3, 32, 32], tf.float32),
                                       "label": tf.io.FixedLenFeature([], tf.int64)})
    return ex["image"], ex["label"]


train = tf.data.TFRecordDataset(tf.io.gfile.glob("/data/cifar100/train-*"), num_parallel_reads=8)
train = train.shuffle(50_000).batch(128, drop_remainder=True)
train = train.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

model = resnet20(100)
model.compile(tf.keras.optimizers.SGD(0.1, momentum=0.9),
              tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
model.fit(train, epochs=164)
