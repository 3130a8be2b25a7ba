import abc

import tensorflow as tf
from absl import app, flags

FLAGS = flags.FLAGS
flags.DEFINE_string("tpu", "local", "TPU address")
flags.DEFINE_string("data_dir", "gs://imagenet-tfrecords", "data")
flags.DEFINE_integer("global_batch", 1024, "global batch size")
flags.DEFINE_integer("steps", 112_000, "train steps")


class Reader(abc.ABC):
    pattern = "train-*"
    buffer = 16_384

    def __init__(self, root, batch):
        self.root, self.batch = root, batch

    @abc.abstractmethod
    def parse(self, rec):
        ...

    def source(self):
        files = tf.data.Dataset.list_files(f"{self.root}/{self.pattern}", shuffle=True)
        return files.interleave(
            tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False
        )

    def finalize(self, ds):
        return ds.batch(self.batch).prefetch(tf.data.AUTOTUNE)

    def __call__(self, ctx=None):
        ds = self.source().shuffle(self.buffer).repeat()
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return self.finalize(ds)


class ImageNet(Reader):
    def parse(self, rec):
        f = tf.io.parse_single_example(rec, {
            "image/encoded": tf.io.FixedLenFeature([], tf.string),
            "image/class/label": tf.io.FixedLenFeature([], tf.int64),
        })
        img = tf.io.decode_jpeg(f["image/encoded"], channels=3)
        img = tf.image.resize(img, [224, 224])
        return tf.cast(img, tf.bfloat16) / 127.5 - 1.0, tf.cast(f["image/class/label"], tf.int32) - 1

    def finalize(self, ds):
        ds = ds.batch(self.batch, drop_remainder=True)
        options = tf.data.Options()
        options.experimental_deterministic = False
        return ds.with_options(options)


def main(_):
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver(FLAGS.tpu)
    tf.config.experimental_connect_to_cluster(resolver)
    tf.tpu.experimental.initialize_tpu_system(resolver)
    strategy = tf.distribute.TPUStrategy(resolver)
    per_replica = FLAGS.global_batch // strategy.num_replicas_in_sync
    with strategy.scope():
        model = tf.keras.applications.ResNet50(weights=None)
        opt = tf.keras.optimizers.SGD(0.4, momentum=0.9)
    reader = ImageNet(FLAGS.data_dir, per_replica)
    it = iter(strategy.distribute_datasets_from_function(reader))

    @tf.function
    def host_steps(iterator, n):
        def replica_fn(batch):
            x, y = batch
            with tf.GradientTape() as tape:
                probs = tf.cast(model(x, training=True), tf.float32)
                loss = tf.nn.compute_average_loss(
                    tf.keras.losses.sparse_categorical_crossentropy(y, probs),
                    global_batch_size=FLAGS.global_batch,
                )
            opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))

        for _ in tf.range(n):
            strategy.run(replica_fn, args=(next(iterator),))

    for _ in range(FLAGS.steps // 500):
        host_steps(it, tf.constant(500))


if __name__ == "__main__":
    app.run(main)
