import contextlib

import tensorflow as tf

PROFILE_FROM, PROFILE_TO = 100, 120


def parse(serialized):
    ex = tf.io.parse_example(serialized, {
        "ids": tf.io.FixedLenFeature([512], tf.int64),
    })
    return ex["ids"]


def corpus(pattern, batch_size):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(50_000).repeat().batch(batch_size, drop_remainder=True)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


lm = tf.keras.Sequential([
    tf.keras.layers.Embedding(32_000, 512),
    tf.keras.layers.LSTM(1024, return_sequences=True),
    tf.keras.layers.Dense(32_000),
])
opt = tf.keras.optimizers.AdamW(3e-4)
xent = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function(jit_compile=True)
def train_step(ids):
    with tf.GradientTape() as tape:
        loss = xent(ids[:, 1:], lm(ids[:, :-1], training=True))
    opt.apply_gradients(zip(tape.gradient(loss, lm.trainable_variables), lm.trainable_variables))
    return loss


it = iter(corpus("/data/web/*.tfrecord", 32))
for step in range(100_000):
    ids = next(it)
    with contextlib.ExitStack() as stack:
        if step == PROFILE_FROM:
            tf.profiler.experimental.start("/tmp/lm")
        if PROFILE_FROM <= step < PROFILE_TO:
            stack.enter_context(tf.profiler.experimental.Trace("lm", step_num=step, _r=1))
        loss = train_step(ids)
    if step == PROFILE_TO:
        tf.profiler.experimental.stop()
