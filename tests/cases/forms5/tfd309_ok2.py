import jax
import numpy as np
import tensorflow as tf

from vit import create_state, train_step


class CifarLoader:
    def __init__(self, batch_size, seed=0):
        (x, y), _ = tf.keras.datasets.cifar100.load_data()
        self.x = x.astype(np.float32) / 255.0
        self.y = y[:, 0].astype(np.int32)
        self.local_batch = batch_size // jax.process_count()
        self.seed = seed

    def __iter__(self):
        ds = tf.data.Dataset.from_tensor_slices((self.x, self.y))
        ds = ds.shard(num_shards=jax.process_count(), index=jax.process_index())
        ds = ds.shuffle(len(self.x), seed=self.seed).repeat()
        ds = ds.batch(self.local_batch, drop_remainder=True)
        return ds.prefetch(2).as_numpy_iterator()


def main(steps=20_000):
    state = create_state(jax.random.PRNGKey(0))
    for step, (x, y) in zip(range(steps), CifarLoader(512)):
        state, loss = train_step(state, x, y)
        if step % 500 == 0:
            print(step, float(loss))


if __name__ == "__main__":
    main()
