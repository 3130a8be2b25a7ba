import glob

import tensorflow as tf

FEATURES = {
    "image": tf.io.FixedLenFeature([], tf.string),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def parse(record):
    ex = tf.io.parse_single_example(record, FEATURES)
    image = tf.io.decode_png(ex["image"], channels=3)
    image = tf.image.resize(image, (128, 128)) / 255.0
    return tf.image.random_flip_left_right(image), ex["label"]


def training_set(batch_size=64):
    files = sorted(glob.glob("/data/plants/train-*.tfrecord"))
    ds = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    model = tf.keras.applications.DenseNet121(
        input_shape=(128, 128, 3), weights=None, classes=38)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(training_set(), epochs=25)


if __name__ == "__main__":
    main()
