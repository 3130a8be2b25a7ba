import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
GLOBAL_BATCH = 1024
SPEC = {"x": tf.io.FixedLenFeature([40], tf.float32), "y": tf.io.FixedLenFeature([], tf.float32)}


def parse(batch):
    f = tf.io.parse_example(batch, SPEC)
    return f["x"], f["y"]


def dataset_fn(context):
    size = context.get_per_replica_batch_size(GLOBAL_BATCH)
    files = tf.data.Dataset.list_files("/nfs/sensor/*.tfrecord", seed=5)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(30_000, seed=5).repeat().batch(size, drop_remainder=True)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(64, "relu"), tf.keras.layers.Dense(1)])
    opt = tf.keras.optimizers.SGD(0.01)


@tf.function
def train_step(iterator):
    def replica(batch):
        x, y = batch
        with tf.GradientTape() as tape:
            err = tf.square(model(x, training=True)[:, 0] - y)
            loss = tf.nn.compute_average_loss(err, global_batch_size=GLOBAL_BATCH)
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))

    strategy.run(replica, args=(next(iterator),))


batches = iter(strategy.distribute_datasets_from_function(dataset_fn))
for _ in range(5000):
    train_step(batches)
