import tensorflow as tf

profiler = tf.profiler.experimental


def build(paths, batch_size):
    ds = tf.data.TextLineDataset(paths, num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(100_000).batch(batch_size, drop_remainder=True)
    ds = ds.map(lambda line: tf.stack(tf.io.decode_csv(line, [[0.0]] * 11), axis=-1), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([tf.keras.layers.Dense(512, activation="gelu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(3e-4)


@tf.function(reduce_retracing=True)
def train_on(table):
    x, y = table[:, :10], table[:, 10:]
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


def train_epoch(ds, step):
    it = iter(ds)
    while True:
        try:
            table = next(it)
        except StopIteration:
            return step
        with profiler.Trace("train_on", step_num=step, _r=1):
            train_on(table)
        step += 1


dataset = build(tf.io.gfile.glob("/data/energy/*.csv"), 1024)
step = 0
profiler.start("/tmp/energy")
for epoch in range(3):
    step = train_epoch(dataset, step)
profiler.stop()
