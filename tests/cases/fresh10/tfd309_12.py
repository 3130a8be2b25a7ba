"""Click model on a TPU pod: one input pipeline per host."""
from absl import app, flags
import tensorflow as tf

flags.DEFINE_string("tpu", "local", "TPU name")
flags.DEFINE_string("data", "gs://clicks/day-*.tfrecord.gz", "input files")
flags.DEFINE_integer("global_batch", 16384, "")
FLAGS = flags.FLAGS

SPEC = {
    "user": tf.io.FixedLenFeature([64], tf.float32),
    "item": tf.io.FixedLenFeature([64], tf.float32),
    "label": tf.io.FixedLenFeature([1], tf.float32),
}


class ClickInput:
    def __init__(self, pattern, global_batch):
        self._files = sorted(tf.io.gfile.glob(pattern))
        self._global_batch = global_batch

    def _records(self):
        return tf.data.TFRecordDataset(self._files, compression_type="GZIP",
                                       num_parallel_reads=16)

    @staticmethod
    def _to_xy(raw):
        ex = tf.io.parse_single_example(raw, SPEC)
        return tf.concat([ex["user"], ex["item"]], 0), ex["label"]

    def __call__(self, ctx):
        ds = self._records()
        ds = ds.map(self._to_xy, num_parallel_calls=tf.data.AUTOTUNE)
        if ctx.num_input_pipelines > 1:
            ds = ds.shard(ctx.num_input_pipelines, ctx.input_pipeline_id)
        ds = ds.shuffle(100_000).repeat()
        bs = ctx.get_per_replica_batch_size(self._global_batch)
        return ds.batch(bs, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main(_):
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver(FLAGS.tpu)
    tf.config.experimental_connect_to_cluster(resolver)
    tf.tpu.experimental.initialize_tpu_system(resolver)
    strategy = tf.distribute.TPUStrategy(resolver)

    with strategy.scope():
        model = tf.keras.Sequential([
            tf.keras.layers.Dense(512, activation="relu"),
            tf.keras.layers.Dense(256, activation="relu"),
            tf.keras.layers.Dense(1, activation="sigmoid"),
        ])
        model.compile("adam", "binary_crossentropy", steps_per_execution=100)

    ds = strategy.distribute_datasets_from_function(ClickInput(FLAGS.data, FLAGS.global_batch))
    model.fit(ds, steps_per_epoch=5000, epochs=10)


if __name__ == "__main__":
    app.run(main)
