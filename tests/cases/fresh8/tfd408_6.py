import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
GLOBAL_BATCH = 64 * strategy.num_replicas_in_sync


def parse(record):
    ex = tf.io.parse_single_example(record, {
        "tile": tf.io.FixedLenFeature([], tf.string),
        "cover": tf.io.FixedLenFeature([], tf.int64),
    })
    tile = tf.image.random_flip_up_down(tf.io.decode_png(ex["tile"], channels=3))
    return tf.ensure_shape(tf.cast(tile, tf.float32) / 255.0, (128, 128, 3)), ex["cover"]


def tiles(pattern):
    files = tf.data.Dataset.list_files(pattern, shuffle=False)
    return (
        files.interleave(tf.data.TFRecordDataset, cycle_length=4, deterministic=True,
                         num_parallel_calls=tf.data.AUTOTUNE)
        .map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        .batch(GLOBAL_BATCH, drop_remainder=True)
        .prefetch(tf.data.AUTOTUNE)
    )


with strategy.scope():
    model = tf.keras.applications.ResNet50V2(
        input_shape=(128, 128, 3), weights=None, classes=10)
    optimizer = tf.keras.optimizers.SGD(0.05, momentum=0.9)
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(reduction="none")


@tf.function
def train_step(batch):
    def replica(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(loss_fn(y, model(x, training=True))) / GLOBAL_BATCH
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    return strategy.reduce("SUM", strategy.run(replica, args=batch), axis=None)


train = strategy.experimental_distribute_dataset(tiles("/data/landcover/region-*.tfrecord"))
for epoch in range(30):
    for batch in train:
        loss = train_step(batch)
    print(epoch, float(loss))
