"""Multi-worker segmentation training loop, distributed iterator + profiler window."""
import tensorflow as tf

GLOBAL_BATCH = 64
STEPS = 120_000
PROFILE = range(1000, 1020)
LOGDIR = "gs://exp/ade20k/logs"


def parse(rec):
    ex = tf.io.parse_single_example(rec, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "seg": tf.io.FixedLenFeature([], tf.string)})
    img = tf.image.resize(tf.io.decode_jpeg(ex["image"], channels=3), [512, 512])
    seg = tf.image.resize(tf.io.decode_png(ex["seg"], channels=1), [512, 512], method="nearest")
    return img / 127.5 - 1.0, tf.cast(seg[..., 0], tf.int32)


def dataset_fn(ctx):
    batch = ctx.get_per_replica_batch_size(GLOBAL_BATCH)
    files = tf.data.Dataset.list_files("gs://data/ade20k/train-*", seed=1)
    files = files.shard(ctx.num_input_pipelines, ctx.input_pipeline_id)
    return (files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
            .shuffle(2000).repeat()
            .map(parse, num_parallel_calls=tf.data.AUTOTUNE)
            .batch(batch, drop_remainder=True)
            .prefetch(tf.data.AUTOTUNE))


strategy = tf.distribute.MultiWorkerMirroredStrategy()
with strategy.scope():
    base = tf.keras.applications.MobileNetV3Large(include_top=False, input_shape=(512, 512, 3),
                                                  include_preprocessing=False)
    x = tf.keras.layers.Conv2D(256, 3, padding="same", activation="relu")(base.output)
    x = tf.keras.layers.Conv2D(151, 1)(x)
    model = tf.keras.Model(base.input, tf.keras.layers.UpSampling2D(32, interpolation="bilinear")(x))
    optimizer = tf.keras.optimizers.SGD(0.02, momentum=0.9)


@tf.function
def distributed_step(batch):
    def replica_fn(images, seg):
        with tf.GradientTape() as tape:
            logits = model(images, training=True)
            ce = tf.nn.sparse_softmax_cross_entropy_with_logits(seg, logits)
            loss = tf.reduce_sum(tf.reduce_mean(ce, [1, 2])) / GLOBAL_BATCH
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    losses = strategy.run(replica_fn, args=batch)
    return strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)


def main():
    iterator = iter(strategy.distribute_datasets_from_function(dataset_fn))
    for step in range(STEPS):
        if step == PROFILE.start:
            tf.profiler.experimental.start(LOGDIR)
        batch = next(iterator)
        with tf.profiler.experimental.Trace("train_step", step_num=step, _r=1):
            loss = distributed_step(batch)
        if step == PROFILE.stop - 1:
            loss.numpy()
            tf.profiler.experimental.stop()
        if step % 200 == 0:
            print(step, float(loss), flush=True)


if __name__ == "__main__":
    main()
