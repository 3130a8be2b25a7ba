import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
GLOBAL_BATCH = 4096

SCHEMA = {
    "user": tf.io.FixedLenFeature([], tf.int64),
    "item": tf.io.FixedLenFeature([], tf.int64),
    "rating": tf.io.FixedLenFeature([1], tf.float32),
}


def dataset_fn(ctx):
    def parse(record):
        ex = tf.io.parse_single_example(record, SCHEMA)
        return (ex["user"], ex["item"]), (ex["rating"] - 3.0) / 2.0

    files = tf.data.Dataset.list_files("gs://ratings/train-*", shuffle=False)
    files = files.shard(ctx.num_input_pipelines, ctx.input_pipeline_id)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(200_000).repeat()
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(ctx.get_per_replica_batch_size(GLOBAL_BATCH), drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


class Factoriser(tf.keras.Model):
    def __init__(self, users, items, dim):
        super().__init__()
        self.u = tf.keras.layers.Embedding(users, dim)
        self.i = tf.keras.layers.Embedding(items, dim)

    def call(self, inputs):
        user, item = inputs
        return tf.reduce_sum(self.u(user) * self.i(item), axis=-1, keepdims=True)


with strategy.scope():
    model = Factoriser(1_000_000, 200_000, 64)
    model.compile("adam", "mse")

model.fit(strategy.distribute_datasets_from_function(dataset_fn), epochs=5, steps_per_epoch=10_000)
