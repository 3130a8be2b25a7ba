import tensorflow as tf
from absl import app, flags

FLAGS = flags.FLAGS
flags.DEFINE_string("data", "gs://bucket/imagenet/train-*", "input pattern")
flags.DEFINE_integer("batch", 1024, "global batch size")
flags.DEFINE_integer("steps", 112_600, "number of steps")
flags.DEFINE_string("logdir", "/tmp/profile", "where the trace goes")


def parse(record):
    ex = tf.io.parse_single_example(record, {"image/encoded": tf.io.FixedLenFeature([], tf.string),
                                             "image/class/label": tf.io.FixedLenFeature([], tf.int64)})
    image = tf.image.resize(tf.io.decode_jpeg(ex["image/encoded"], channels=3), (224, 224))
    return image, tf.cast(ex["image/class/label"], tf.int32) - 1


def input_fn(pattern, batch):
    ds = tf.data.Dataset.list_files(pattern).repeat()
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(16_384).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main(_):
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = tf.keras.applications.ResNet50(weights=None, classifier_activation=None)
        optimizer = tf.keras.optimizers.SGD(0.4, momentum=0.9)
        loss_obj = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")
    iterator = iter(strategy.experimental_distribute_dataset(input_fn(FLAGS.data, FLAGS.batch)))

    @tf.function
    def distributed_step(images, labels):
        def replica_step(images, labels):
            with tf.GradientTape() as tape:
                loss = tf.nn.compute_average_loss(loss_obj(labels, model(images, training=True)))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables),
                                          model.trainable_variables))
            return loss

        losses = strategy.run(replica_step, args=(images, labels))
        return strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)

    tf.profiler.experimental.start(FLAGS.logdir)
    for step in tf.range(FLAGS.steps).numpy():
        images, labels = iterator.get_next()
        with tf.profiler.experimental.Trace("step", step_num=int(step), _r=1):
            loss = distributed_step(images, labels)
    tf.profiler.experimental.stop()
    print(float(loss))


if __name__ == "__main__":
    app.run(main)
