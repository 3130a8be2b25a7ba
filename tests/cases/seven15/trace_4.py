import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
GLOBAL = 64 * strategy.num_replicas_in_sync
prof = tf.profiler.experimental


def parse(rec):
    ex = tf.io.parse_single_example(rec, {
        "image": tf.io.FixedLenFeature([], tf.string), "mask": tf.io.FixedLenFeature([], tf.string)})
    img = tf.image.resize(tf.io.decode_png(ex["image"], 3), [256, 256]) / 255.0
    msk = tf.image.resize(tf.io.decode_png(ex["mask"], 1), [256, 256], method="nearest")
    return img, tf.cast(msk > 0, tf.float32)


def nuclei():
    files = tf.data.Dataset.list_files("/bio/nuclei/train-*.tfrecord", shuffle=True)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(1500).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(GLOBAL, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


with strategy.scope():
    inp = tf.keras.Input((256, 256, 3))
    h = tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu")(inp)
    h = tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu")(h)
    net = tf.keras.Model(inp, tf.keras.layers.Conv2D(1, 1)(h))
    opt = tf.keras.optimizers.Adam(1e-3)


def replica(x, y):
    with tf.GradientTape() as tape:
        bce = tf.nn.sigmoid_cross_entropy_with_logits(y, net(x, training=True))
        loss = tf.nn.compute_average_loss(tf.reduce_mean(bce, [1, 2, 3]), global_batch_size=GLOBAL)
    opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
    return loss


@tf.function
def dist_step(x, y):
    return strategy.reduce(tf.distribute.ReduceOp.SUM, strategy.run(replica, args=(x, y)), axis=None)


def fit(epochs):
    dist_ds = strategy.experimental_distribute_dataset(nuclei())
    with prof.Profile("gs://bucket/profiles/nuclei"):
        n = 0
        for epoch in range(epochs):
            for inputs in dist_ds:
                with prof.Trace("dist_train", step_num=n, _r=1):
                    loss = dist_step(*inputs)
                n += 1
            tf.print("epoch", epoch, loss)


fit(2)
