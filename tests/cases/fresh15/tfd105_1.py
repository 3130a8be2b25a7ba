"""Train the ResNet classifier on the sharded retail product records."""
import argparse
import os

import tensorflow as tf

FEATURES = {
    "image/encoded": tf.io.FixedLenFeature([], tf.string),
    "image/label": tf.io.FixedLenFeature([], tf.int64),
}


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--data_dir", default="gs://retail-products/records")
    p.add_argument("--num_shards", type=int, default=256)
    p.add_argument("--batch_size", type=int, default=128)
    p.add_argument("--epochs", type=int, default=30)
    p.add_argument("--num_classes", type=int, default=812)
    return p.parse_args()


def shard_names(data_dir, split, n):
    return [os.path.join(data_dir, f"{split}-{i:05d}-of-{n:05d}") for i in range(n)]


def decode(record):
    parsed = tf.io.parse_single_example(record, FEATURES)
    image = tf.io.decode_jpeg(parsed["image/encoded"], channels=3)
    image = tf.image.resize(image, (224, 224))
    return image, parsed["image/label"]


def train_input(args):
    names = shard_names(args.data_dir, "train", args.num_shards)
    order = tf.random.shuffle(tf.constant(names))
    ds = tf.data.TFRecordDataset(order, buffer_size=8 << 20)
    ds = ds.shuffle(20_000)
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(args.batch_size, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    args = parse_args()
    backbone = tf.keras.applications.ResNet50(include_top=False, pooling="avg")
    inputs = tf.keras.Input((224, 224, 3))
    x = tf.keras.applications.resnet50.preprocess_input(inputs)
    outputs = tf.keras.layers.Dense(args.num_classes)(backbone(x))
    model = tf.keras.Model(inputs, outputs)
    model.compile(
        optimizer=tf.keras.optimizers.SGD(0.1, momentum=0.9),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    model.fit(train_input(args), epochs=args.epochs)
    model.save("retail_resnet.keras")


if __name__ == "__main__":
    main()
