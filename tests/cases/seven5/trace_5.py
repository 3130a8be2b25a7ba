"""Weather nowcasting on several GPUs."""
import tensorflow as tf
import keras

GLOBAL_BATCH = 64
LOGDIR = "gs://acme-logs/nowcast"
strategy = tf.distribute.MirroredStrategy()


def radar(record):
    ex = tf.io.parse_single_example(record, {
        "past": tf.io.FixedLenFeature([], tf.string),
        "next": tf.io.FixedLenFeature([], tf.string),
    })
    past = tf.reshape(tf.io.decode_raw(ex["past"], tf.uint8), (256, 256, 6))
    future = tf.reshape(tf.io.decode_raw(ex["next"], tf.uint8), (256, 256, 1))
    return tf.cast(past, tf.float32) / 255.0, tf.cast(future, tf.float32) / 255.0


def make_dataset():
    files = tf.data.Dataset.list_files("gs://acme-radar/train-*.tfrecord")
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(2000).repeat().map(radar, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(GLOBAL_BATCH, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


with strategy.scope():
    model = keras.Sequential([
        keras.Input((256, 256, 6)),
        keras.layers.Conv2D(96, 5, padding="same", activation="relu"),
        keras.layers.Conv2D(96, 5, padding="same", activation="relu"),
        keras.layers.Conv2D(1, 5, padding="same"),
    ])
    optimizer = keras.optimizers.Adam(2e-4)
    optimizer.build(model.trainable_variables)


def replica_step(past, future):
    with tf.GradientTape() as tape:
        error = tf.reduce_mean(tf.abs(model(past, training=True) - future), axis=(1, 2, 3))
        loss = tf.nn.compute_average_loss(error, global_batch_size=GLOBAL_BATCH)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


@tf.function
def train_step(inputs):
    losses = strategy.run(replica_step, args=inputs)
    return strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)


iterator = iter(strategy.experimental_distribute_dataset(make_dataset()))
for step in range(80_000):
    if step == 300:
        tf.profiler.experimental.start(LOGDIR)
    inputs = next(iterator)
    with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
        loss = train_step(inputs)
    if step == 309:
        tf.profiler.experimental.stop()
    if step % 1000 == 0:
        print(step, float(loss))
