"""3D lung nodule classifier, MirroredStrategy, cache on local NVMe."""
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
GLOBAL_BATCH = 4 * strategy.num_replicas_in_sync
EPOCHS = 200


def unpack(serialized):
    ex = tf.io.parse_single_example(serialized, {
        "ct": tf.io.FixedLenFeature([], tf.string),
        "dims": tf.io.FixedLenFeature([3], tf.int64),
        "malignant": tf.io.FixedLenFeature([], tf.float32),
    })
    return ex["ct"], ex["dims"], ex["malignant"]


def resample(ct, dims, y):
    raw = tf.io.decode_compressed(ct, "ZLIB")
    vol = tf.reshape(tf.cast(tf.io.decode_raw(raw, tf.int16), tf.float32), dims)
    vol = tf.clip_by_value((vol + 1000.0) / 1400.0, 0.0, 1.0)
    vol = tf.image.resize(vol, [96, 96], method="bicubic")
    vol = tf.transpose(vol, [2, 1, 0])
    vol = tf.image.resize(vol, [96, 96], method="bicubic")
    return tf.ensure_shape(vol[..., tf.newaxis], [96, 96, 96, 1]), y


def jitter(vol, y):
    vol = tf.image.random_crop(vol, [80, 80, 80, 1])
    return tf.reverse(vol, tf.where(tf.random.uniform([3]) > 0.5)[:, 0]), y


def pipeline(files):
    steps = [
        lambda d: d.map(unpack, num_parallel_calls=tf.data.AUTOTUNE),
        lambda d: d.cache("/nvme/lidc_cache"),
        lambda d: d.map(resample, num_parallel_calls=tf.data.AUTOTUNE),
        lambda d: d.shuffle(64).map(jitter, num_parallel_calls=tf.data.AUTOTUNE),
        lambda d: d.batch(GLOBAL_BATCH, drop_remainder=True).prefetch(2),
    ]
    ds = tf.data.TFRecordDataset(files, num_parallel_reads=8)
    for step in steps:
        ds = ds.apply(step)
    return ds


with strategy.scope():
    net = tf.keras.Sequential([tf.keras.Input([80, 80, 80, 1])] + [
        tf.keras.layers.Conv3D(f, 3, strides=2, activation="relu") for f in (32, 64, 128)
    ] + [tf.keras.layers.GlobalAveragePooling3D(), tf.keras.layers.Dense(1)])
    opt = tf.keras.optimizers.Adam(1e-4)


@tf.function
def train_step(batch):
    def replica(vol, y):
        with tf.GradientTape() as tape:
            logits = net(vol, training=True)[:, 0]
            loss = tf.reduce_sum(tf.nn.sigmoid_cross_entropy_with_logits(y, logits)) / GLOBAL_BATCH
        opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        return loss
    return strategy.reduce("SUM", strategy.run(replica, args=batch), axis=None)


train = strategy.experimental_distribute_dataset(pipeline(tf.io.gfile.glob("/data/lidc/*.tfrecord")))
for epoch in range(EPOCHS):
    for batch in train:
        loss = train_step(batch)
    print(epoch, float(loss))
