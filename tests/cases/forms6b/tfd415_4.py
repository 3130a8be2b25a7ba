import argparse

import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
SPLITS = ("train", "validation", "test")


def decode(record):
    row = tf.io.parse_single_example(
        record,
        {
            "image": tf.io.FixedLenFeature([], tf.string),
            "label": tf.io.FixedLenFeature([], tf.int64),
        },
    )
    image = tf.io.decode_jpeg(row["image"], channels=3)
    return tf.image.resize(image, [224, 224]), row["label"]


def build(root, split, batch_size):
    is_training = split == "train"
    files = tf.data.Dataset.list_files(f"{root}/{split}-*.tfrecord", shuffle=is_training)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTOTUNE)
    if is_training:
        ds = ds.shuffle(10_000)
    ds = ds.map(decode, num_parallel_calls=AUTOTUNE)
    ds = ds.batch(batch_size, drop_remainder=is_training)
    return ds.prefetch(AUTOTUNE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", required=True)
    parser.add_argument("--batch_size", type=int, default=512)
    parser.add_argument("--epochs", type=int, default=40)
    args = parser.parse_args()

    datasets = {}
    for split in SPLITS:
        datasets[split] = build(args.root, split, args.batch_size)

    model = tf.keras.applications.EfficientNetB0(weights=None, classes=365)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(datasets["train"], validation_data=datasets["validation"], epochs=args.epochs)
    loss, accuracy = model.evaluate(datasets["test"])
    print(f"test loss {loss:.3f}, accuracy {accuracy:.3%}")


if __name__ == "__main__":
    main()
