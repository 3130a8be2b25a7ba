"""Satellite tile segmentation with fixed-length epochs."""
import argparse

import tensorflow as tf

SPEC = {
    "image": tf.io.FixedLenFeature([], tf.string),
    "mask": tf.io.FixedLenFeature([], tf.string),
}


def parse(raw):
    ex = tf.io.parse_single_example(raw, SPEC)
    image = tf.io.decode_png(ex["image"], channels=3)
    mask = tf.io.decode_png(ex["mask"], channels=1)
    image = tf.ensure_shape(image, [256, 256, 3])
    mask = tf.ensure_shape(mask, [256, 256, 1])
    return tf.cast(image, tf.float32) / 255.0, tf.cast(mask > 0, tf.float32)


def tiles(pattern, batch_size, training):
    files = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = files.interleave(
        tf.data.TFRecordDataset,
        cycle_length=16,
        num_parallel_calls=tf.data.AUTOTUNE,
        deterministic=not training,
    )
    if training:
        ds = ds.shuffle(4096).repeat()
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size, drop_remainder=training)
    return ds.prefetch(tf.data.AUTOTUNE)


def unet():
    x = inputs = tf.keras.Input((256, 256, 3))
    skips = []
    for ch in (32, 64, 128):
        x = tf.keras.layers.Conv2D(ch, 3, padding="same", activation="relu")(x)
        skips.append(x)
        x = tf.keras.layers.MaxPool2D()(x)
    for ch, skip in zip((128, 64, 32), reversed(skips)):
        x = tf.keras.layers.Conv2DTranspose(ch, 2, strides=2)(x)
        x = tf.keras.layers.Concatenate()([x, skip])
        x = tf.keras.layers.Conv2D(ch, 3, padding="same", activation="relu")(x)
    return tf.keras.Model(inputs, tf.keras.layers.Conv2D(1, 1, activation="sigmoid")(x))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--train", default="/tiles/train-*.tfrecord")
    ap.add_argument("--val", default="/tiles/val-*.tfrecord")
    ap.add_argument("--batch-size", type=int, default=16)
    ap.add_argument("--steps-per-epoch", type=int, default=500)
    ap.add_argument("--epochs", type=int, default=60)
    a = ap.parse_args()
    model = unet()
    model.compile("adam", "binary_crossentropy", metrics=[tf.keras.metrics.BinaryIoU()])
    model.fit(
        tiles(a.train, a.batch_size, True),
        steps_per_epoch=a.steps_per_epoch,
        epochs=a.epochs,
        validation_data=tiles(a.val, a.batch_size, False),
    )
    model.save("tiles.keras")


if __name__ == "__main__":
    main()
