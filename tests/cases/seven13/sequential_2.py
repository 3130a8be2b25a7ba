"""Detector input: 512 shards on a network file system."""
import argparse

import tensorflow as tf

SPEC = {
    "image/encoded": tf.io.FixedLenFeature([], tf.string),
    "image/object/bbox": tf.io.VarLenFeature(tf.float32),
    "image/object/label": tf.io.VarLenFeature(tf.int64),
}


def parse(record):
    ex = tf.io.parse_single_example(record, SPEC)
    image = tf.io.decode_jpeg(ex["image/encoded"], channels=3)
    boxes = tf.reshape(tf.sparse.to_dense(ex["image/object/bbox"]), [-1, 4])
    labels = tf.sparse.to_dense(ex["image/object/label"])
    scale = tf.random.uniform([], 0.8, 1.25)
    side = tf.cast(640.0 * scale, tf.int32)
    image = tf.image.resize(image, [side, side])
    image = tf.image.resize_with_crop_or_pad(image, 640, 640)
    pad = tf.maximum(100 - tf.shape(labels)[0], 0)
    boxes = tf.ensure_shape(tf.pad(boxes[:100], [[0, pad], [0, 0]]), [100, 4])
    labels = tf.ensure_shape(tf.pad(labels[:100], [[0, pad]], constant_values=-1), [100])
    return image, {"boxes": boxes, "classes": labels}


def open_shard(path):
    return tf.data.TFRecordDataset(path, compression_type="GZIP", buffer_size=8 << 20)


def input_fn(args):
    shards = tf.data.Dataset.list_files(args.pattern, shuffle=True).repeat()
    records = shards.interleave(
        open_shard,
        cycle_length=args.cycle,
        block_length=4,
    )
    return (records.shuffle(2048)
            .map(parse, num_parallel_calls=tf.data.AUTOTUNE)
            .batch(args.batch, drop_remainder=True)
            .prefetch(tf.data.AUTOTUNE))


def dense_head(features):
    x = tf.keras.layers.GlobalAveragePooling2D()(features)
    boxes = tf.keras.layers.Reshape([100, 4], name="boxes")(tf.keras.layers.Dense(400)(x))
    logits = tf.keras.layers.Reshape([100, 90], name="classes")(tf.keras.layers.Dense(9000)(x))
    return {"boxes": boxes, "classes": logits}


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--pattern", default="/nfs/openimages/train-*.tfrecord.gz")
    ap.add_argument("--cycle", type=int, default=32)
    ap.add_argument("--batch", type=int, default=64)
    args = ap.parse_args()
    inp = tf.keras.Input([640, 640, 3])
    feats = tf.keras.applications.EfficientNetV2S(include_top=False, weights=None)(inp)
    model = tf.keras.Model(inp, dense_head(feats))
    model.compile("adam", {
        "boxes": "huber",
        "classes": tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, ignore_class=-1)})
    model.fit(input_fn(args), steps_per_epoch=10_000, epochs=30)


if __name__ == "__main__":
    main()
