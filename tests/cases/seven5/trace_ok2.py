"""Ranking model under a strategy: the step takes its batch from the iterator itself."""
import tensorflow as tf
import keras

GLOBAL_BATCH = 4096
strategy = tf.distribute.MirroredStrategy()
SPEC = {
    "query": tf.io.FixedLenFeature([128], tf.float32),
    "document": tf.io.FixedLenFeature([128], tf.float32),
    "clicked": tf.io.FixedLenFeature([1], tf.float32),
}


def parse(batch):
    ex = tf.io.parse_example(batch, SPEC)
    return tf.concat([ex["query"], ex["document"]], -1), ex["clicked"]


def make_dataset(pattern):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(200_000).repeat().batch(GLOBAL_BATCH, drop_remainder=True)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


with strategy.scope():
    model = keras.Sequential([
        keras.Input((256,)),
        keras.layers.Dense(1024, activation="relu"),
        keras.layers.Dense(512, activation="relu"),
        keras.layers.Dense(1),
    ])
    optimizer = keras.optimizers.Adam(1e-3)
    optimizer.build(model.trainable_variables)


def replica_step(x, y):
    with tf.GradientTape() as tape:
        error = tf.nn.sigmoid_cross_entropy_with_logits(y, model(x, training=True))
        loss = tf.nn.compute_average_loss(tf.reduce_mean(error, -1), global_batch_size=GLOBAL_BATCH)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))


@tf.function
def train_step(iterator):
    strategy.run(replica_step, args=next(iterator))


def main():
    data = strategy.experimental_distribute_dataset(make_dataset("/data/clicks/part-*.tfrecord"))
    iterator = iter(data)
    for step in range(200_000):
        if step == 1000:
            tf.profiler.experimental.start("/logs/ranking")
        with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
            train_step(iterator)
        if step == 1009:
            tf.profiler.experimental.stop()


if __name__ == "__main__":
    main()
