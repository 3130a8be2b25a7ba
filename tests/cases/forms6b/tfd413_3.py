from absl import app, flags
import tensorflow as tf
from tensorflow.data import AUTOTUNE, Dataset, TFRecordDataset

FLAGS = flags.FLAGS
flags.DEFINE_string("pattern", "gs://ranking/train-*.tfrecord", "Shards.")
flags.DEFINE_integer("batch_size", 1024, "Rows in a step.")
flags.DEFINE_integer("steps", 200_000, "Steps of the whole run.")

SPEC = {
    "query": tf.io.FixedLenFeature([128], tf.float32),
    "doc": tf.io.FixedLenFeature([128], tf.float32),
    "click": tf.io.FixedLenFeature([], tf.float32),
}


def open_shard(path):
    shard = TFRecordDataset(path, compression_type="GZIP", buffer_size=8 << 20)
    return shard.repeat()


def make_dataset():
    shards = Dataset.list_files(FLAGS.pattern, shuffle=True)
    ds = shards.flat_map(open_shard)
    ds = ds.shuffle(200_000)
    ds = ds.batch(FLAGS.batch_size, drop_remainder=True)
    ds = ds.map(lambda rows: tf.io.parse_example(rows, SPEC), num_parallel_calls=AUTOTUNE)
    return ds.prefetch(AUTOTUNE)


def main(_):
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        tower = tf.keras.Sequential([
            tf.keras.layers.Dense(256, activation="relu"),
            tf.keras.layers.Dense(64),
        ])
        optimizer = tf.keras.optimizers.Adam(1e-4)

    def replica_step(rows):
        with tf.GradientTape() as tape:
            score = tf.reduce_sum(tower(rows["query"]) * tower(rows["doc"]), axis=-1)
            loss = tf.reduce_mean(
                tf.nn.sigmoid_cross_entropy_with_logits(labels=rows["click"], logits=score)
            )
        grads = tape.gradient(loss, tower.trainable_variables)
        optimizer.apply_gradients(zip(grads, tower.trainable_variables))
        return loss

    @tf.function
    def step(rows):
        return strategy.reduce("MEAN", strategy.run(replica_step, args=(rows,)), axis=None)

    batches = iter(strategy.experimental_distribute_dataset(make_dataset()))
    for i in range(FLAGS.steps):
        loss = step(next(batches))
        if i % 1000 == 0:
            print(i, float(loss))


if __name__ == "__main__":
    app.run(main)
