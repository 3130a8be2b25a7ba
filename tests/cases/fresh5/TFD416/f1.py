import tensorflow as tf

SPEC = {"x": tf.io.FixedLenFeature([30], tf.float32), "y": tf.io.FixedLenFeature([1], tf.float32)}


def parse(batch):
    f = tf.io.parse_example(batch, SPEC)
    return f["x"], f["y"]


files = tf.data.Dataset.list_files("/data/wind/*.tfrecord")
ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(10_000).batch(128).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([tf.keras.layers.Dense(64, "relu"), tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.Adam()


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))
    return loss


batches = iter(ds)
for epoch in range(20):
    mean = tf.keras.metrics.Mean()
    for x, y in batches:
        mean.update_state(train_step(x, y))
    print(epoch, float(mean.result()))
