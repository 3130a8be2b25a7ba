from absl import app, flags
import tensorflow as tf

FLAGS = flags.FLAGS
flags.DEFINE_string("pattern", "/data/web/train-*.tfrecord", "Records.")
flags.DEFINE_integer("batch_size", 128, "Images in a step.")
flags.DEFINE_float("fraction", 0.875, "Part of the image that is kept.")
flags.DEFINE_bool("augment", True, "Random brightness and flips.")

SPEC = {
    "image/encoded": tf.io.FixedLenFeature([], tf.string),
    "image/class": tf.io.FixedLenFeature([], tf.int64),
}


def augment(image):
    image = tf.image.random_flip_left_right(image)
    return tf.image.random_brightness(image, 0.1)


def make_parse_fn(fraction, post=None):
    def parse(record):
        row = tf.io.parse_single_example(record, SPEC)
        image = tf.image.decode_image(row["image/encoded"], channels=3)
        image = tf.image.convert_image_dtype(image, tf.float32)
        image = tf.image.central_crop(image, fraction)
        image = tf.image.resize(image, [192, 192])
        if post is not None:
            image = post(image)
        return image, row["image/class"]

    return parse


def input_fn():
    files = tf.data.Dataset.list_files(FLAGS.pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(10_000)
    parse = make_parse_fn(FLAGS.fraction, augment if FLAGS.augment else None)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(FLAGS.batch_size).prefetch(tf.data.AUTOTUNE)


def main(_):
    model = tf.keras.applications.MobileNetV3Large(
        input_shape=(192, 192, 3), weights=None, classes=1000, include_preprocessing=False
    )
    model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(input_fn(), epochs=90)


if __name__ == "__main__":
    app.run(main)
