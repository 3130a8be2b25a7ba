"""ImageNet ResNet-50 with mixed precision."""
import argparse

import tensorflow as tf

AUTO = tf.data.AUTOTUNE


def setup():
    tf.keras.mixed_precision.set_global_policy("mixed_float16")
    tf.keras.backend.set_image_data_format("channels_first")


def parse(record, training):
    ex = tf.io.parse_single_example(record, {
        "image/encoded": tf.io.FixedLenFeature([], tf.string),
        "image/class/label": tf.io.FixedLenFeature([], tf.int64),
    })
    image = tf.io.decode_jpeg(ex["image/encoded"], channels=3)
    if training:
        image = tf.image.resize(image, (256, 256))
        image = tf.image.random_flip_left_right(tf.image.random_crop(image, (224, 224, 3)))
    else:
        image = tf.image.resize(image, (224, 224))
    image = tf.transpose(image / 127.5 - 1.0, (2, 0, 1))
    return image, ex["image/class/label"] - 1


def dataset(root, split, batch_size):
    training = split == "train"
    ds = tf.data.Dataset.list_files(f"{root}/{split}-*", shuffle=training)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=AUTO)
    if training:
        ds = ds.shuffle(16_384)
    ds = ds.map(lambda r: parse(r, training), num_parallel_calls=AUTO)
    return ds.batch(batch_size).prefetch(AUTO)


def main(args):
    setup()
    strategy = tf.distribute.MirroredStrategy()
    batch_size = args.batch_size * strategy.num_replicas_in_sync
    with strategy.scope():
        model = tf.keras.applications.ResNet50(weights=None, classifier_activation=None)
        model.compile(
            tf.keras.optimizers.SGD(0.1 * batch_size / 256, momentum=0.9),
            tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
            ["accuracy"],
        )
    model.fit(
        dataset(args.data, "train", batch_size),
        validation_data=dataset(args.data, "validation", batch_size),
        epochs=90,
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default="/data/imagenet")
    parser.add_argument("--batch-size", type=int, default=256)
    main(parser.parse_args())
