import tensorflow as tf


def parse(serialized):
    ex = tf.io.parse_example(serialized, {
        "x": tf.io.FixedLenFeature([100], tf.float32),
        "y": tf.io.FixedLenFeature([], tf.int64),
    })
    return ex["x"], ex["y"]


ds = tf.data.Dataset.list_files("/data/clicks/*.tfrecord")
ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
ds = ds.shuffle(100_000).repeat().batch(2048, drop_remainder=True)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([tf.keras.layers.Dense(256, "relu"), tf.keras.layers.Dense(10)])
optimizer = tf.keras.optimizers.Adam()
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


it = iter(ds)
tf.profiler.experimental.start("/tmp/clicks")
for step in range(200):
    trace = tf.profiler.experimental.Trace("train", step_num=step, _r=1)
    trace.__enter__()
    x, y = next(it)
    train_step(x, y)
    trace.__exit__(None, None, None)
tf.profiler.experimental.stop()
