"""CIFAR/STL binary files: stored planar (CHW), converted to NHWC once while parsing."""
import os

import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
SIDE, DEPTH, CLASSES = 32, 3, 100
RECORD = 2 + SIDE * SIDE * DEPTH
DATA = os.environ.get("CIFAR100_BIN", "/data/cifar-100-binary")


def parse_record(raw):
    """<coarse><fine><3072 bytes, R plane then G plane then B plane>"""
    buf = tf.io.decode_raw(raw, tf.uint8)
    label = tf.cast(buf[1], tf.int32)
    chw = tf.reshape(buf[2:RECORD], [DEPTH, SIDE, SIDE])
    hwc = tf.transpose(chw, [1, 2, 0])
    return hwc, label


def augment(img, label):
    img = tf.pad(img, [[4, 4], [4, 4], [0, 0]])
    img = tf.image.random_crop(img, [SIDE, SIDE, DEPTH])
    return tf.image.random_flip_left_right(img), label


def scale(img, label):
    return tf.cast(img, tf.float32) / 127.5 - 1.0, label


def dataset(filename, training, batch_size=128):
    ds = tf.data.FixedLengthRecordDataset(os.path.join(DATA, filename), RECORD)
    ds = ds.map(parse_record, num_parallel_calls=AUTOTUNE).cache()
    if training:
        ds = ds.shuffle(50_000).map(augment, num_parallel_calls=AUTOTUNE)
    ds = ds.batch(batch_size, drop_remainder=training)
    return ds.map(scale, num_parallel_calls=AUTOTUNE).prefetch(AUTOTUNE)


def conv_bn(x, ch, stride=1):
    x = tf.keras.layers.Conv2D(ch, 3, stride, "same", use_bias=False,
                               data_format="channels_last")(x)
    x = tf.keras.layers.BatchNormalization(axis=-1)(x)
    return tf.keras.layers.ReLU()(x)


def vgg():
    inp = tf.keras.Input((SIDE, SIDE, DEPTH))
    x = inp
    for ch in (64, 128, 256, 512):
        x = conv_bn(conv_bn(x, ch), ch, stride=2)
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    x = tf.keras.layers.Dropout(0.4)(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(CLASSES)(x))


if __name__ == "__main__":
    model = vgg()
    model.compile(tf.keras.optimizers.SGD(0.1, momentum=0.9, nesterov=True),
                  tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=["accuracy"])
    model.fit(dataset("train.bin", True), validation_data=dataset("test.bin", False), epochs=160)
