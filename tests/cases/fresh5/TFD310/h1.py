import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
SPEC = {"x": tf.io.FixedLenFeature([40], tf.float32), "y": tf.io.FixedLenFeature([], tf.float32)}


def parse(batch):
    f = tf.io.parse_example(batch, SPEC)
    return f["x"], f["y"]


def dataset_fn(context):
    files = tf.data.Dataset.list_files("/data/sensor/*.tfrecord", shuffle=False)
    files = files.shard(context.num_input_pipelines, context.input_pipeline_id)
    files = files.shuffle(500)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(30_000).repeat()
    ds = ds.batch(context.get_per_replica_batch_size(1024), drop_remainder=True)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(64, "relu"), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")

model.fit(strategy.distribute_datasets_from_function(dataset_fn), steps_per_epoch=1000, epochs=5)
