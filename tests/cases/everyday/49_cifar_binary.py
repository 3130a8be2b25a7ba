"""CIFAR-10 in its binary form: one byte of a label, then 3072 bytes of pixels."""
import os

import tensorflow as tf

DATA = 'data/cifar-10-batches-bin'
RECORD_BYTES = 1 + 3 * 32 * 32
MEAN = [0.4914, 0.4822, 0.4465]
STD = [0.2470, 0.2435, 0.2616]

train_files = [os.path.join(DATA, 'data_batch_%d.bin' % i) for i in range(1, 6)]
test_file = os.path.join(DATA, 'test_batch.bin')


def parse(record):
    data = tf.io.decode_raw(record, tf.uint8)
    label = tf.cast(data[0], tf.int32)
    image = tf.transpose(tf.reshape(data[1:], [3, 32, 32]), [1, 2, 0])
    image = (tf.cast(image, tf.float32) / 255.0 - MEAN) / STD
    return tf.image.resize(image, [64, 64], method='bicubic'), label


train = tf.data.FixedLengthRecordDataset(train_files, RECORD_BYTES)
train = train.shuffle(50000)
train = train.map(parse)
train = train.batch(128, drop_remainder=True)

test = tf.data.FixedLengthRecordDataset(test_file, RECORD_BYTES)
test = test.map(parse, num_parallel_calls=tf.data.experimental.AUTOTUNE)
test = test.batch(256).prefetch(tf.data.experimental.AUTOTUNE)


def residual(x, filters, stride):
    shortcut = x
    if stride > 1 or x.shape[-1] != filters:
        shortcut = tf.keras.layers.Conv2D(filters, 1, strides=stride)(x)
    x = tf.keras.layers.Conv2D(filters, 3, strides=stride, padding='same', use_bias=False)(x)
    x = tf.keras.layers.ReLU()(tf.keras.layers.BatchNormalization()(x))
    x = tf.keras.layers.Conv2D(filters, 3, padding='same', use_bias=False)(x)
    x = tf.keras.layers.BatchNormalization()(x)
    return tf.keras.layers.ReLU()(x + shortcut)


inputs = tf.keras.Input([64, 64, 3])
x = inputs
for filters, stride in ((32, 1), (64, 2), (128, 2), (256, 2)):
    x = residual(x, filters, stride)
x = tf.keras.layers.GlobalAveragePooling2D()(x)
model = tf.keras.Model(inputs, tf.keras.layers.Dense(10)(x))

steps = 50000 // 128
lr = tf.keras.optimizers.schedules.PiecewiseConstantDecay([30 * steps, 45 * steps], [0.1, 0.01, 0.001])
model.compile(
    tf.keras.optimizers.SGD(lr, momentum=0.9),
    tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    ['accuracy'])
model.fit(train, epochs=60, validation_data=test, verbose=2)
