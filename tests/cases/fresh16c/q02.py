"""Depth estimation, synchronous training on all GPUs of the box."""
import tensorflow as tf

STRATEGY = tf.distribute.MirroredStrategy()
PER_GPU = 8
GLOBAL_BATCH = PER_GPU * STRATEGY.num_replicas_in_sync
STEPS, EPOCHS = 1000, 30
H, W = 240, 320


def parse(raw):
    ex = tf.io.parse_single_example(raw, {
        "rgb": tf.io.FixedLenFeature([], tf.string),
        "depth": tf.io.FixedLenFeature([], tf.string),
    })
    rgb = tf.io.decode_jpeg(ex["rgb"], channels=3)
    depth = tf.io.decode_png(ex["depth"], channels=1, dtype=tf.uint16)
    rgb = tf.ensure_shape(rgb, [H, W, 3])
    depth = tf.ensure_shape(depth, [H, W, 1])
    return tf.cast(rgb, tf.float32) / 255.0, tf.cast(depth, tf.float32) / 1000.0


def input_fn(ctx):
    batch = ctx.get_per_replica_batch_size(GLOBAL_BATCH)
    files = tf.data.Dataset.list_files("/nyu/train-*.tfrecord", shuffle=True, seed=3)
    files = files.shard(ctx.num_input_pipelines, ctx.input_pipeline_id)
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(2048).repeat()
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


with STRATEGY.scope():
    base = tf.keras.Sequential([
        tf.keras.Input((H, W, 3)),
        tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu"),
        tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu", dilation_rate=2),
        tf.keras.layers.Conv2D(1, 3, padding="same"),
    ])
    opt = tf.keras.optimizers.Adam(1e-4)
    mean_loss = tf.keras.metrics.Mean()


def replica_step(inputs):
    rgb, depth = inputs
    with tf.GradientTape() as tape:
        err = tf.reduce_mean(tf.abs(base(rgb, training=True) - depth), axis=[1, 2, 3])
        loss = tf.nn.compute_average_loss(err, global_batch_size=GLOBAL_BATCH)
    grads = tape.gradient(loss, base.trainable_variables)
    opt.apply_gradients(zip(grads, base.trainable_variables))
    mean_loss.update_state(tf.reduce_mean(err))


@tf.function
def train_steps(iterator, n):
    for _ in tf.range(n):
        STRATEGY.run(replica_step, args=(next(iterator),))


data = iter(STRATEGY.distribute_datasets_from_function(input_fn))
for epoch in range(EPOCHS):
    mean_loss.reset_state()
    train_steps(data, tf.constant(STEPS))
    print(f"epoch {epoch}: L1 {float(mean_loss.result()):.4f} m")
base.save("depth.keras")
