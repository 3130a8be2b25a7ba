import argparse

import tensorflow as tf
from tensorflow.keras import layers


def double_conv(x, filters):
    for _ in range(2):
        x = layers.Conv2D(filters, 3, padding="same", data_format="channels_first",
                          kernel_initializer="he_normal", use_bias=False)(x)
        x = layers.BatchNormalization(axis=1)(x)
        x = layers.ReLU()(x)
    return x


def unet(size, classes):
    inputs = layers.Input((size, size, 3))
    x = layers.Permute((3, 1, 2))(inputs)
    skips = []
    for filters in (64, 128, 256, 512):
        x = double_conv(x, filters)
        skips.append(x)
        x = layers.MaxPooling2D(2, data_format="channels_first")(x)
    x = double_conv(x, 1024)
    for filters, skip in zip((512, 256, 128, 64), reversed(skips)):
        x = layers.Conv2DTranspose(filters, 2, strides=2, data_format="channels_first")(x)
        x = double_conv(layers.Concatenate(axis=1)([x, skip]), filters)
    x = layers.Conv2D(classes, 1, data_format="channels_first")(x)
    return tf.keras.Model(inputs, layers.Permute((2, 3, 1))(x))


def parse(raw):
    ex = tf.io.parse_single_example(raw, {
        "aerial": tf.io.FixedLenFeature([], tf.string),
        "roofs": tf.io.FixedLenFeature([], tf.string)})
    img = tf.cast(tf.io.decode_jpeg(ex["aerial"], channels=3), tf.float32) / 255.0
    roof = tf.cast(tf.io.decode_png(ex["roofs"], channels=1), tf.float32)
    both = tf.image.random_crop(tf.concat([img, roof], -1), (512, 512, 4))
    return both[..., :3], tf.cast(both[..., 3:] > 0, tf.float32)


def inria(pattern, batch_size):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(300).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--pattern", default="/data/inria/train-*.tfrecord")
    ap.add_argument("--batch", type=int, default=16)
    args = ap.parse_args()
    model = unet(512, 1)
    model.compile(tf.keras.optimizers.Adam(1e-4), tf.keras.losses.BinaryCrossentropy(from_logits=True))
    model.fit(inria(args.pattern, args.batch), epochs=100)
    model.save("roofs")


if __name__ == "__main__":
    main()
