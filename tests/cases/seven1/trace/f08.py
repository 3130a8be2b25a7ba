import jax
import jax.numpy as jnp
import numpy as np
import optax
import tensorflow as tf

DIM = 784


def parse(records):
    ex = tf.io.parse_example(records, {
        "x": tf.io.FixedLenFeature([DIM], tf.float32),
        "y": tf.io.FixedLenFeature([], tf.int64),
    })
    return ex["x"], ex["y"]


def data_iterator(pattern, batch_size):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(50_000).repeat().batch(batch_size, drop_remainder=True)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE).as_numpy_iterator()


tx = optax.sgd(0.05)


@jax.jit
def train_step(w, state, x, y):
    def loss_fn(w):
        return optax.softmax_cross_entropy_with_integer_labels(x @ w, y).mean()

    loss, g = jax.value_and_grad(loss_fn)(w)
    updates, state = tx.update(g, state)
    return optax.apply_updates(w, updates), state, loss


w = jnp.asarray(np.zeros((DIM, 10), "float32"))
state = tx.init(w)
it = data_iterator("/data/digits/*.tfrecord", 4096)

x, y = next(it)
for step in range(2_000):
    with jax.profiler.StepTraceAnnotation("train", step_num=step):
        w, state, loss = train_step(w, state, x, y)
    x, y = next(it)
