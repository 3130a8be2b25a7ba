from absl import app, flags
import tensorflow as tf
from tensorflow.data import AUTOTUNE, TFRecordDataset

FLAGS = flags.FLAGS
flags.DEFINE_string("data_dir", None, "Folder with the crawled images.")
flags.DEFINE_integer("batch_size", 128, "Examples in a step.")
flags.DEFINE_bool("skip_corrupt", True, "Drop records that do not decode.")


def decode(record):
    parsed = tf.io.parse_single_example(
        record,
        {
            "image/encoded": tf.io.FixedLenFeature([], tf.string),
            "image/label": tf.io.FixedLenFeature([], tf.int64),
        },
    )
    image = tf.io.decode_jpeg(parsed["image/encoded"], channels=3)
    image = tf.image.resize(image, [160, 160])
    return image, parsed["image/label"]


def input_fn(pattern, is_training):
    files = tf.io.gfile.glob(pattern)
    ds = TFRecordDataset(files, num_parallel_reads=AUTOTUNE)
    if is_training:
        ds = ds.shuffle(20_000)
    ds = ds.map(decode, num_parallel_calls=AUTOTUNE)
    if FLAGS.skip_corrupt:
        ds.apply(tf.data.experimental.ignore_errors(log_warning=True))
    ds = ds.batch(FLAGS.batch_size)
    return ds.prefetch(AUTOTUNE)


def main(_):
    train_ds = input_fn(f"{FLAGS.data_dir}/train-*", True)
    val_ds = input_fn(f"{FLAGS.data_dir}/val-*", False)
    model = tf.keras.applications.MobileNetV2(
        input_shape=(160, 160, 3), weights=None, classes=1000
    )
    model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train_ds, validation_data=val_ds, epochs=30)
    model.save("crawl.keras")


if __name__ == "__main__":
    app.run(main)
