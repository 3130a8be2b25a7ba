"""Whale call detection, TPU."""
from absl import app, flags
import tensorflow as tf

FLAGS = flags.FLAGS
flags.DEFINE_string("bucket", "gs://whales", "where the records are")
flags.DEFINE_integer("batch_size", 512, "global batch size")
flags.DEFINE_integer("epochs", 40, "epochs")
NUM_TRAIN = 186_000


def parse(record):
    ex = tf.io.parse_single_example(record, {
        "spec": tf.io.FixedLenFeature([128 * 64], tf.float32),
        "call": tf.io.FixedLenFeature([], tf.float32),
    })
    return tf.reshape(ex["spec"], [128, 64, 1]), ex["call"]


def get_dataset(split):
    files = tf.data.Dataset.list_files(f"{FLAGS.bucket}/{split}-*.tfrecord")
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    if split == "train":
        ds = ds.shuffle(8192)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    # static shapes for the TPU
    ds = ds.repeat().batch(FLAGS.batch_size, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


def main(_):
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver()
    tf.config.experimental_connect_to_cluster(resolver)
    tf.tpu.experimental.initialize_tpu_system(resolver)
    strategy = tf.distribute.TPUStrategy(resolver)
    with strategy.scope():
        model = tf.keras.applications.MobileNetV2(
            weights=None, input_shape=(128, 64, 1), classes=1, classifier_activation="sigmoid")
        model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    valid = get_dataset("valid")
    model.fit(
        get_dataset("train"),
        steps_per_epoch=NUM_TRAIN // FLAGS.batch_size,
        epochs=FLAGS.epochs,
        validation_data=valid,
    )


if __name__ == "__main__":
    app.run(main)
