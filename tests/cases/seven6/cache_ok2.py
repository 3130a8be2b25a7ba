"""ImageNet-100 with cached JPEG bytes (about 13 GB); crops are drawn at decode time."""
import tensorflow as tf
from absl import app, flags

FLAGS = flags.FLAGS
flags.DEFINE_string("data", "/raid/imagenet100", "TFRecord folder")
flags.DEFINE_integer("batch", 512, "global batch size")
flags.DEFINE_integer("epochs", 200, "epochs")


def parse(record):
    ex = tf.io.parse_single_example(record, {
        "image/encoded": tf.io.FixedLenFeature([], tf.string),
        "image/class/label": tf.io.FixedLenFeature([], tf.int64)})
    return ex["image/encoded"], ex["image/class/label"] - 1


def decode_random_crop(jpeg, label):
    shape = tf.io.extract_jpeg_shape(jpeg)
    begin, size, _ = tf.image.sample_distorted_bounding_box(
        shape, tf.zeros([1, 0, 4]), min_object_covered=0.1, area_range=(0.08, 1.0),
        aspect_ratio_range=(0.75, 1.33), use_image_if_no_bounding_boxes=True)
    y, x, _ = tf.unstack(begin)
    h, w, _ = tf.unstack(size)
    image = tf.image.decode_and_crop_jpeg(jpeg, tf.stack([y, x, h, w]), channels=3)
    image = tf.image.resize(image, (224, 224))
    return tf.image.random_flip_left_right(image) / 127.5 - 1.0, label


def imagenet100():
    files = tf.data.Dataset.list_files(f"{FLAGS.data}/train-*", shuffle=False)
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=16,
                          num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.cache()
    ds = ds.shuffle(130_000)
    ds = ds.map(decode_random_crop, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(FLAGS.batch, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


def main(_):
    tf.keras.mixed_precision.set_global_policy("mixed_float16")
    with tf.distribute.MirroredStrategy().scope():
        base = tf.keras.applications.ResNet50(include_top=False, weights=None, pooling="avg")
        logits = tf.keras.layers.Dense(100, dtype="float32")(base.output)
        model = tf.keras.Model(base.input, logits)
        model.compile(
            tf.keras.optimizers.SGD(0.2, momentum=0.9),
            tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
            metrics=["accuracy"])
    model.fit(imagenet100(), epochs=FLAGS.epochs)
    model.save_weights("r50.weights.h5")


if __name__ == "__main__":
    app.run(main)
