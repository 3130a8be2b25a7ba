import argparse

import tensorflow as tf

SPEC = {
    "image": tf.io.FixedLenFeature([], tf.string),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def parse(record):
    ex = tf.io.parse_single_example(record, SPEC)
    img = tf.io.decode_jpeg(ex["image"], channels=3)
    return tf.image.resize(img, (160, 160)), ex["label"]


def build_dataset(pattern, batch_size, training):
    files = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = files.interleave(
        tf.data.TFRecordDataset,
        cycle_length=8,
        num_parallel_calls=tf.data.AUTOTUNE,
        deterministic=not training,
    )
    if training:
        ds = ds.shuffle(10_000)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, num_parallel_calls=tf.data.AUTOTUNE)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--data", required=True)
    p.add_argument("--batch-size", type=int, default=128)
    args = p.parse_args()
    model = tf.keras.applications.ResNet50(weights=None, classes=100, input_shape=(160, 160, 3))
    model.compile("sgd", "sparse_categorical_crossentropy")
    model.fit(
        build_dataset(args.data + "/train-*", args.batch_size, True),
        validation_data=build_dataset(args.data + "/val-*", args.batch_size, False),
        epochs=50,
    )


if __name__ == "__main__":
    main()
