import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
GLOBAL_BATCH = 1024
SPEC = {"x": tf.io.FixedLenFeature([40], tf.float32), "y": tf.io.FixedLenFeature([], tf.float32)}


def parse(batch):
    f = tf.io.parse_example(batch, SPEC)
    return f["x"], f["y"]


def dataset_fn(context):
    files = tf.data.Dataset.list_files("/data/sensor/*.tfrecord")
    mine = files.shard(context.num_input_pipelines, context.input_pipeline_id)
    ds = mine.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(30_000)
    ds = ds.batch(context.get_per_replica_batch_size(GLOBAL_BATCH), drop_remainder=True)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(64, "relu"), tf.keras.layers.Dense(1)])
    opt = tf.keras.optimizers.SGD(0.01)

dist = strategy.distribute_datasets_from_function(dataset_fn)


@tf.function
def train_step(iterator):
    def one(batch):
        x, y = batch
        with tf.GradientTape() as tape:
            err = tf.square(model(x, training=True)[:, 0] - y)
            loss = tf.nn.compute_average_loss(err, global_batch_size=GLOBAL_BATCH)
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))

    strategy.run(one, args=(next(iterator),))


for epoch in range(5):
    it = iter(dist)
    for _ in range(1000):
        train_step(it)
