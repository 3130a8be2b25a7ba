import tensorflow as tf

SPEC = {"x": tf.io.FixedLenFeature([39], tf.float32), "y": tf.io.FixedLenFeature([], tf.float32)}


def parse(records):
    ex = tf.io.parse_example(records, SPEC)
    return ex["x"], ex["y"]


dataset = tf.data.Dataset.list_files("/data/ads/part-*.tfrecord")
dataset = dataset.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
dataset = dataset.repeat().shuffle(100_000).batch(4096, drop_remainder=True)
dataset = dataset.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((39,)),
    tf.keras.layers.Dense(512, activation="relu"),
    tf.keras.layers.Dense(256, activation="relu"),
    tf.keras.layers.Dense(1),
])
optimizer = tf.keras.optimizers.Adam()
loss_fn = tf.keras.losses.BinaryCrossentropy(from_logits=True)


@tf.function
def train_step(iterator):
    x, y = next(iterator)
    with tf.GradientTape() as tape:
        loss = loss_fn(y[:, tf.newaxis], model(x, training=True))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


iterator = iter(dataset)
for step in range(20_000):
    if step == 500:
        tf.profiler.experimental.start("/tmp/profile")
    with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
        loss = train_step(iterator)
    if step == 520:
        tf.profiler.experimental.stop()
    if step % 1000 == 0:
        tf.print("step", step, "loss", loss)
