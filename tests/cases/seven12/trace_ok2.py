import functools

import tensorflow as tf
from tensorflow.profiler import experimental as profiler


def traced(name):
    def decorate(fn):
        @functools.wraps(fn)
        def wrapper(step, *args):
            with profiler.Trace(name, step_num=step, _r=1):
                return fn(*args)
        return wrapper
    return decorate


def reviews(path, batch):
    ds = tf.data.TextLineDataset(path, num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(100_000).repeat().batch(batch, drop_remainder=True)
    table = tf.keras.layers.Hashing(50_000)

    def encode(lines):
        parts = tf.io.decode_csv(lines, [0.0, ""], field_delim="\t")
        words = tf.strings.split(parts[1]).to_tensor("", shape=[None, 200])
        return table(words), parts[0]

    return ds.map(encode, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Embedding(50_000, 64),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(1),
])
optimizer = tf.keras.optimizers.Adam(1e-3)


@traced("train")
@tf.function
def train_step(iterator):
    ids, stars = next(iterator)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(ids, training=True)[:, 0] - stars))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


def run(dataset, logdir, steps=400):
    iterator = iter(dataset)
    profiler.start(logdir)
    try:
        for step in range(steps):
            loss = train_step(step, iterator)
    finally:
        profiler.stop()
    return loss


if __name__ == "__main__":
    print(float(run(reviews("/data/reviews/train.tsv", 512), "/tmp/prof/reviews")))
