from absl import app, flags
import tensorflow as tf

FLAGS = flags.FLAGS
flags.DEFINE_string("records", "/data/chexpert/*.tfrecord", "Shards.")
flags.DEFINE_string("cache_dir", "/local_ssd/cache", "Fast disk.")
flags.DEFINE_integer("batch_size", 32, "Batch size.")
flags.DEFINE_integer("epochs", 25, "Epochs.")

SPEC = {
    "dicom_png": tf.io.FixedLenFeature([], tf.string),
    "findings": tf.io.FixedLenFeature([14], tf.float32),
}


def parse(record):
    row = tf.io.parse_single_example(record, SPEC)
    return row["dicom_png"], row["findings"]


def to_image(png, findings):
    image = tf.io.decode_png(png, channels=1, dtype=tf.uint16)
    image = tf.image.convert_image_dtype(image, tf.float32)
    image = tf.image.resize(image, [320, 320], method="area")
    return tf.image.per_image_standardization(image), findings


def cached(transform):
    def apply(ds):
        return transform(ds).cache(f"{FLAGS.cache_dir}/{transform.__name__}")
    return apply


@cached
def parsed_records(ds):
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)


def images(ds):
    return ds.map(to_image, num_parallel_calls=tf.data.AUTOTUNE)


def main(_):
    files = tf.data.Dataset.list_files(FLAGS.records, shuffle=False)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.apply(parsed_records).shuffle(1_024).apply(images)
    ds = ds.batch(FLAGS.batch_size).prefetch(tf.data.AUTOTUNE)

    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = tf.keras.applications.DenseNet121(
            input_shape=(320, 320, 1), weights=None, classes=14,
            classifier_activation="sigmoid")
        model.compile("adam", "binary_crossentropy", metrics=["AUC"])
    model.fit(ds, epochs=FLAGS.epochs)


if __name__ == "__main__":
    app.run(main)
