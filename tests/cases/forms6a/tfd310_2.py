import glob
import random

import tensorflow as tf

GLOBAL_BATCH = 1024
PATTERN = "/nfs/criteo/day_*/part-*.tfrecord"
SPEC = {
    "dense": tf.io.FixedLenFeature([13], tf.float32),
    "label": tf.io.FixedLenFeature([], tf.float32),
}


def parse(records):
    row = tf.io.parse_example(records, SPEC)
    return row["dense"], row["label"]


def dataset_fn(context):
    paths = glob.glob(PATTERN)
    random.shuffle(paths)
    files = tf.data.Dataset.from_tensor_slices(paths)
    files = files.shard(context.num_input_pipelines, context.input_pipeline_id)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(100_000).repeat()
    ds = ds.batch(
        context.get_per_replica_batch_size(GLOBAL_BATCH), drop_remainder=True)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    with strategy.scope():
        model = tf.keras.Sequential([
            tf.keras.layers.Dense(512, activation="relu"),
            tf.keras.layers.Dense(256, activation="relu"),
            tf.keras.layers.Dense(1),
        ])
        model.build([None, 13])
        optimizer = tf.keras.optimizers.Adagrad(0.01)
        optimizer.build(model.trainable_variables)

    def step(x, y):
        with tf.GradientTape() as tape:
            losses = tf.nn.sigmoid_cross_entropy_with_logits(
                labels=y, logits=model(x, training=True)[:, 0])
            loss = tf.nn.compute_average_loss(losses, global_batch_size=GLOBAL_BATCH)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    @tf.function
    def train_step(iterator):
        losses = strategy.run(step, args=next(iterator))
        return strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)

    dataset = strategy.distribute_datasets_from_function(dataset_fn)
    iterator = iter(dataset)
    for step_number in range(120_000):
        loss = train_step(iterator)
        if step_number % 1_000 == 0:
            print(step_number, float(loss))


if __name__ == "__main__":
    main()
