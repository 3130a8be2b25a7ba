import jax
import numpy as np
import tensorflow as tf

from lm import create_state, train_step

SEQ_LEN = 2048


def parse(record):
    ex = tf.io.parse_single_example(record, {"tokens": tf.io.FixedLenFeature([SEQ_LEN], tf.int64)})
    return tf.cast(ex["tokens"], tf.int32)


class TokenLoader:
    def __init__(self, pattern, batch_size):
        self.files = sorted(tf.io.gfile.glob(pattern))
        self.local_batch = batch_size // jax.process_count()

    def __iter__(self):
        ds = tf.data.TFRecordDataset(self.files, num_parallel_reads=32)
        ds = ds.shard(num_shards=jax.process_count(), index=jax.process_index())
        ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(50_000).repeat()
        ds = ds.batch(self.local_batch, drop_remainder=True)
        return ds.prefetch(4).as_numpy_iterator()


def main(steps=500_000):
    state = create_state(jax.random.PRNGKey(0))
    loader = TokenLoader("gs://c4-tokens/train-?????.tfrecord", 1024)
    losses = []
    for step, tokens in zip(range(steps), loader):
        state, loss = train_step(state, tokens)
        losses.append(loss)
        if step % 100 == 99:
            print(step, np.mean(jax.device_get(losses)))
            losses.clear()


if __name__ == "__main__":
    main()
