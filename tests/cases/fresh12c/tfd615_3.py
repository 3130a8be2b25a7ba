"""Point cloud classification on all local GPUs."""
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)

strategy = tf.distribute.MirroredStrategy()
GLOBAL = 64 * strategy.num_replicas_in_sync


def clouds(pattern):
    def parse(rec):
        ex = tf.io.parse_single_example(rec, {"xyz": tf.io.FixedLenFeature([2048, 3], tf.float32),
                                              "shape": tf.io.FixedLenFeature([], tf.int64)})
        return ex["xyz"] + tf.random.normal([2048, 3], stddev=0.01), ex["shape"]

    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(10_000).repeat().map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(GLOBAL, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


with strategy.scope():
    inp = tf.keras.Input((2048, 3))
    h = inp
    for width in (64, 128, 1024):
        h = tf.keras.layers.Conv1D(width, 1, activation="relu")(h)
    h = tf.keras.layers.Dense(256, activation="relu")(tf.keras.layers.GlobalMaxPooling1D()(h))
    net = tf.keras.Model(inp, tf.keras.layers.Dense(40)(h))
    opt = tf.keras.optimizers.Adam(1e-3)


def replica_step(xyz, shape):
    with tf.GradientTape() as tape:
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(shape, net(xyz, training=True))
        loss = tf.nn.compute_average_loss(losses, global_batch_size=GLOBAL)
    opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
    return loss


@tf.function
def train_step(batch):
    return strategy.run(replica_step, args=batch)


for n, batch in enumerate(strategy.experimental_distribute_dataset(clouds("/data/modelnet/train-*"))):
    per_replica = train_step(batch)
    if n % 500 == 0:
        for i, value in enumerate(strategy.experimental_local_results(per_replica)):
            tf.print("step", n, "replica", i, value)
    if n == 100_000:
        break
