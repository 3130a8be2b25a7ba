from absl import app, flags
import tensorflow as tf
from tensorflow import keras

FLAGS = flags.FLAGS
flags.DEFINE_enum("image_format", "channels_first", ["channels_first", "channels_last"], "Layout.")
flags.DEFINE_string("tpu", "local", "TPU name.")
flags.DEFINE_integer("batch_size", 1024, "Global batch size.")


def chest_xrays(batch):
    def load(record):
        ex = tf.io.parse_single_example(record, {
            "png": tf.io.FixedLenFeature([], tf.string),
            "finding": tf.io.FixedLenFeature([14], tf.float32)})
        image = tf.io.decode_png(ex["png"], channels=1)
        image = tf.image.resize(image, (224, 224))
        return image, ex["finding"]

    def layout(image, finding):
        if keras.backend.image_data_format() == "channels_first":
            image = tf.transpose(image, [0, 3, 1, 2])
        return tf.cast(image, tf.bfloat16), finding

    files = tf.data.Dataset.list_files("gs://cxr14/train-*.tfrecord")
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(8192).repeat()
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(batch, drop_remainder=True)
    return ds.map(layout, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def main(_):
    keras.backend.set_image_data_format(FLAGS.image_format)
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver(FLAGS.tpu)
    tf.config.experimental_connect_to_cluster(resolver)
    tf.tpu.experimental.initialize_tpu_system(resolver)
    strategy = tf.distribute.TPUStrategy(resolver)
    keras.mixed_precision.set_global_policy("mixed_bfloat16")
    shape = (1, 224, 224) if FLAGS.image_format == "channels_first" else (224, 224, 1)
    with strategy.scope():
        model = keras.applications.DenseNet121(
            weights=None, input_shape=shape, classes=14, classifier_activation="sigmoid")
        model.compile("adam", "binary_crossentropy")
    model.fit(chest_xrays(FLAGS.batch_size), steps_per_epoch=100, epochs=20)


if __name__ == "__main__":
    app.run(main)
