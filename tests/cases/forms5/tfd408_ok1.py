import glob

import tensorflow as tf

FEATURES = {
    "image": tf.io.FixedLenFeature([], tf.string),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def parse(record):
    ex = tf.io.parse_single_example(record, FEATURES)
    image = tf.io.decode_png(ex["image"], channels=3)
    return tf.image.resize(image, (128, 128)) / 255.0, ex["label"]


def make_set(split, batch_size=64):
    files = sorted(glob.glob(f"/data/plants/{split}-*.tfrecord"))
    if split == "train":
        ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files))
        ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(20_000)
    else:
        ds = tf.data.TFRecordDataset(files)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    model = tf.keras.applications.DenseNet121(
        input_shape=(128, 128, 3), weights=None, classes=38)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(make_set("train"), validation_data=make_set("valid"), epochs=25)


if __name__ == "__main__":
    main()
