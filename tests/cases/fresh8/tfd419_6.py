import jax
import numpy as np
import tensorflow as tf

from gpt import init_state, train_step

CONTEXT = 1024
BOS = tf.constant([1], tf.int32)

tokens = np.memmap("/data/openwebtext/train.bin", dtype=np.uint16, mode="r")

stages = (
    lambda ds: ds.map(lambda t: tf.cast(t, tf.int32)),
    lambda ds: ds.window(CONTEXT, drop_remainder=True),
    lambda ds: ds.map(lambda chunk: tf.concat([BOS, chunk], axis=0)),
    lambda ds: ds.shuffle(20_000, seed=1).repeat(),
    lambda ds: ds.batch(32, drop_remainder=True),
    lambda ds: ds.prefetch(tf.data.AUTOTUNE),
)


def read_tokens(block=1 << 20):
    for start in range(0, len(tokens), block):
        yield np.asarray(tokens[start : start + block]).astype(np.int64)


def build():
    ds = tf.data.Dataset.from_generator(
        read_tokens, output_signature=tf.TensorSpec((None,), tf.int64)).unbatch()
    for stage in stages:
        ds = stage(ds)
    return ds.as_numpy_iterator()


def main(steps=100_000):
    state = init_state(jax.random.PRNGKey(0))
    for step, batch in zip(range(steps), build()):
        state, loss = train_step(state, batch[:, :-1], batch[:, 1:])
        if step % 100 == 0:
            print(step, float(loss))


if __name__ == "__main__":
    main()
