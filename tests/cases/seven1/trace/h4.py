import tensorflow as tf

INNER_STEPS = 100
strategy = tf.distribute.MirroredStrategy()
GLOBAL_BATCH = 512 * strategy.num_replicas_in_sync


def parse(serialized):
    ex = tf.io.parse_example(serialized, {
        "ids": tf.io.FixedLenFeature([64], tf.int64),
        "target": tf.io.FixedLenFeature([1], tf.float32),
    })
    return ex["ids"], ex["target"]


files = tf.data.Dataset.list_files("/data/text/*.tfrecord")
ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
ds = ds.shuffle(50_000).repeat().batch(GLOBAL_BATCH, drop_remainder=True)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
iterator = iter(strategy.experimental_distribute_dataset(ds))

with strategy.scope():
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(20_000, 64),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(1),
    ])
    optimizer = tf.keras.optimizers.Adam()


def replica_fn(ids, target):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(model(ids, training=True) - target)) / GLOBAL_BATCH
    optimizer.apply(tape.gradient(loss, model.trainable_variables), model.trainable_variables)


@tf.function
def train_many(it):
    for _ in tf.range(INNER_STEPS):
        strategy.run(replica_fn, args=next(it))


tf.profiler.experimental.start("/tmp/text")
for outer in range(20):
    with tf.profiler.experimental.Trace("train", step_num=outer, _r=1):
        train_many(iterator)
tf.profiler.experimental.stop()
