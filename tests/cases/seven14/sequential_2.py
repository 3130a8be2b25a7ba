"""Ad click model: sharded logs on object storage."""
from absl import app, flags
import tensorflow as tf

FLAGS = flags.FLAGS
flags.DEFINE_string("logs", "gs://ads-logs/2024/*/part-*.tfrecord.gz", "Shard pattern.")
flags.DEFINE_integer("readers", 32, "Files open at a time.")
flags.DEFINE_integer("batch_size", 16384, "Batch size.")
flags.DEFINE_integer("steps", 200000, "Training steps.")

NUMERIC = [f"i{k}" for k in range(13)]
CATEG = [f"c{k}" for k in range(26)]
SPEC = {n: tf.io.FixedLenFeature([], tf.float32, 0.0) for n in NUMERIC}
SPEC.update({n: tf.io.FixedLenFeature([], tf.int64, 0) for n in CATEG})
SPEC["click"] = tf.io.FixedLenFeature([], tf.float32)


def open_shard(path):
    return tf.data.TFRecordDataset(path, compression_type="GZIP", buffer_size=8 << 20)


def to_inputs(serialized):
    row = tf.io.parse_example(serialized, SPEC)
    y = row.pop("click")
    dense = tf.math.log1p(tf.nn.relu(tf.stack([row[n] for n in NUMERIC], -1)))
    sparse = tf.stack([row[n] % 100000 for n in CATEG], -1)
    return {"dense": dense, "sparse": sparse}, y


def click_stream():
    shards = tf.data.Dataset.list_files(FLAGS.logs, shuffle=True).repeat()
    return (shards
            .interleave(open_shard,
                        cycle_length=FLAGS.readers,
                        block_length=128)
            .shuffle(500_000)
            .batch(FLAGS.batch_size, drop_remainder=True)
            .map(to_inputs, num_parallel_calls=tf.data.AUTOTUNE)
            .prefetch(tf.data.AUTOTUNE))


def dlrm():
    dense = tf.keras.Input((13,), name="dense")
    sparse = tf.keras.Input((26,), name="sparse", dtype="int64")
    e = tf.keras.layers.Embedding(100000, 16)(sparse)
    x = tf.keras.layers.Concatenate()([tf.keras.layers.Dense(64, "relu")(dense),
                                       tf.keras.layers.Flatten()(e)])
    x = tf.keras.layers.Dense(512, "relu")(x)
    return tf.keras.Model([dense, sparse], tf.keras.layers.Dense(1)(x))


def main(_):
    model = dlrm()
    model.compile("adagrad", tf.keras.losses.BinaryCrossentropy(from_logits=True),
                  metrics=[tf.keras.metrics.AUC(from_logits=True)])
    model.fit(click_stream(), steps_per_epoch=10000, epochs=FLAGS.steps // 10000)


if __name__ == "__main__":
    app.run(main)
