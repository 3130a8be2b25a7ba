import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
GLOBAL_BATCH = 256
SPEC = {"x": tf.io.FixedLenFeature([40], tf.float32), "y": tf.io.FixedLenFeature([], tf.float32)}


def parse(batch):
    f = tf.io.parse_example(batch, SPEC)
    return f["x"], f["y"]


def dataset_fn(context):
    files = tf.data.Dataset.list_files("/data/sensor/*.tfrecord", shuffle=False)
    files = files.shard(context.num_input_pipelines, context.input_pipeline_id).shuffle(100)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(30_000).batch(context.get_per_replica_batch_size(GLOBAL_BATCH), drop_remainder=True)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


dist = strategy.distribute_datasets_from_function(dataset_fn)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(64, "relu"), tf.keras.layers.Dense(1)])
    opt = tf.keras.optimizers.SGD(0.01)


@tf.function
def train_step(batch):
    def replica(x, y):
        with tf.GradientTape() as tape:
            err = tf.square(model(x, training=True)[:, 0] - y)
            loss = tf.nn.compute_average_loss(err, global_batch_size=GLOBAL_BATCH)
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))

    strategy.run(replica, args=batch)


for epoch in range(5):
    for batch in dist:
        train_step(batch)
