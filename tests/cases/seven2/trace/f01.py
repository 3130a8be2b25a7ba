import tensorflow as tf
import tensorflow_datasets as tfds


def make(batch_size):
    ds = tfds.load("patch_camelyon", split="train", as_supervised=True, shuffle_files=True)
    ds = ds.shuffle(20_000).batch(batch_size, drop_remainder=True)
    ds = ds.map(lambda x, y: (tf.cast(x, tf.float32) / 255.0, tf.one_hot(y, 2)), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


model = tf.keras.applications.DenseNet121(weights=None, input_shape=(96, 96, 3), classes=2)
optimizer = tf.keras.optimizers.Adam()
cce = tf.keras.losses.CategoricalCrossentropy()


@tf.function
def step_fn(x, y):
    with tf.GradientTape() as tape:
        loss = cce(y, model(x, training=True))
    optimizer.apply(tape.gradient(loss, model.trainable_variables), model.trainable_variables)
    return loss


ds = make(128)
tf.profiler.experimental.start("/tmp/pcam")
n = 0
for x, y in ds:
    trace = tf.profiler.experimental.Trace("pcam", step_num=n, _r=1)
    trace.__enter__()
    loss = step_fn(x, y)
    trace.__exit__(None, None, None)
    n += 1
    if n == 100:
        break
tf.profiler.experimental.stop()
