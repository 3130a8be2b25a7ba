"""Fine-tune a text matcher on several hosts; the data set is one file."""
import jax
import jax.numpy as jnp
import optax
import tensorflow as tf

TRAIN_FILE = "/data/quora/train.tfrecord"


def parse(records):
    ex = tf.io.parse_example(records, {
        "a": tf.io.FixedLenFeature([64], tf.int64),
        "b": tf.io.FixedLenFeature([64], tf.int64),
        "same": tf.io.FixedLenFeature([], tf.float32),
    })
    return {k: tf.cast(v, tf.int32) if v.dtype == tf.int64 else v for k, v in ex.items()}


def host_batches(batch_size, epochs):
    ds = tf.data.TFRecordDataset(TRAIN_FILE)
    ds = ds.shard(jax.process_count(), jax.process_index())
    ds = ds.cache().shuffle(400_000).repeat(epochs)
    ds = ds.batch(batch_size // jax.process_count(), drop_remainder=True)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE).as_numpy_iterator()


def embed(params, ids):
    return jnp.mean(params["table"][ids], axis=1) @ params["proj"]


def loss_fn(params, batch):
    logits = jnp.sum(embed(params, batch["a"]) * embed(params, batch["b"]), -1)
    return jnp.mean(optax.sigmoid_binary_cross_entropy(logits, batch["same"]))


def main():
    key = jax.random.PRNGKey(0)
    params = {"table": jax.random.normal(key, (50_000, 256)) * 0.02,
              "proj": jax.random.normal(key, (256, 256)) * 0.06}
    opt = optax.adam(1e-3)
    state = opt.init(params)

    @jax.jit
    def step(params, state, batch):
        loss, grads = jax.value_and_grad(loss_fn)(params, batch)
        updates, state = opt.update(grads, state)
        return optax.apply_updates(params, updates), state, loss

    for batch in host_batches(1024, epochs=5):
        params, state, loss = step(params, state, batch)


if __name__ == "__main__":
    main()
