import jax
import jax.numpy as jnp
import optax
import tensorflow as tf

tf.config.set_visible_devices([], "GPU")


class ArrayLoader:
    batch_size = 512

    def source(self, split):
        raise NotImplementedError

    def transform(self, ds):
        return ds

    def finish(self, ds):
        return ds.batch(self.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

    def __call__(self, split):
        ds = self.source(split)
        if split == "train":
            ds = ds.shuffle(50_000).repeat()
        return self.finish(self.transform(ds)).as_numpy_iterator()


class CifarBinary(ArrayLoader):
    SHAPE = (3, 32, 32)

    def source(self, split):
        files = tf.io.gfile.glob(f"/data/cifar-10-batches-bin/{split}_batch*.bin")
        return tf.data.FixedLengthRecordDataset(files, record_bytes=1 + 3072).cache()

    def _split(self, record):
        raw = tf.io.decode_raw(record, tf.uint8)
        image = tf.transpose(tf.reshape(raw[1:], self.SHAPE), (1, 2, 0))
        image = tf.image.convert_image_dtype(image, tf.float32) * 2.0 - 1.0
        return image, tf.cast(raw[0], tf.int32)

    def transform(self, ds):
        return ds.map(self._split, num_parallel_calls=tf.data.AUTOTUNE)


def init(key):
    k1, k2 = jax.random.split(key)
    return {
        "w1": jax.random.normal(k1, (3072, 1024)) * 0.02,
        "b1": jnp.zeros(1024),
        "w2": jax.random.normal(k2, (1024, 10)) * 0.03,
        "b2": jnp.zeros(10),
    }


def loss_fn(p, x, y):
    h = jax.nn.relu(x.reshape(x.shape[0], -1) @ p["w1"] + p["b1"])
    return optax.softmax_cross_entropy_with_integer_labels(h @ p["w2"] + p["b2"], y).mean()


def main():
    params = init(jax.random.key(0))
    tx = optax.sgd(0.05, momentum=0.9)
    state = tx.init(params)

    @jax.jit
    def update(params, state, x, y):
        loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
        updates, state = tx.update(grads, state)
        return optax.apply_updates(params, updates), state, loss

    for step, (x, y) in zip(range(10_000), CifarBinary()("train")):
        params, state, loss = update(params, state, x, y)
        if step % 500 == 0:
            print(step, float(loss))


if __name__ == "__main__":
    main()
