import jax
import jax.numpy as jnp
import optax
import tensorflow as tf
import yaml


def shuffled(size):
    return lambda ds: ds.shuffle(size)


def per_host(ds):
    return ds.shard(jax.process_count(), index=jax.process_index())


def parse(records):
    spec = {"tokens": tf.io.FixedLenFeature([513], tf.int64)}
    tokens = tf.cast(tf.io.parse_example(records, spec)["tokens"], tf.int32)
    return tokens[:, :-1], tokens[:, 1:]


def token_batches(cfg):
    paths = sorted(tf.io.gfile.glob(cfg["files"]))
    return (
        tf.data.Dataset.from_tensor_slices(paths)
        .apply(shuffled(len(paths)))
        .apply(per_host)
        .interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        .apply(shuffled(cfg["buffer"]))
        .repeat()
        .batch(cfg["batch_size"] // jax.process_count(), drop_remainder=True)
        .map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        .prefetch(tf.data.AUTOTUNE)
        .as_numpy_iterator()
    )


def loss_fn(params, x, y):
    hidden = jnp.cumsum(params["embed"][x], axis=1)
    logits = jax.nn.gelu(hidden @ params["mix"]) @ params["embed"].T
    return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()


def main():
    jax.distributed.initialize()
    with open("lm.yaml") as f:
        cfg = yaml.safe_load(f)
    key = jax.random.key(cfg["seed"])
    params = {
        "embed": 0.02 * jax.random.normal(key, (cfg["vocab"], 512)),
        "mix": 0.02 * jax.random.normal(key, (512, 512)),
    }
    tx = optax.adamw(cfg["lr"])
    state = tx.init(params)

    @jax.jit
    def update(params, state, x, y):
        loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
        updates, state = tx.update(grads, state, params)
        return optax.apply_updates(params, updates), state, loss

    for _, (x, y) in zip(range(cfg["steps"]), token_batches(cfg)):
        params, state, loss = update(params, state, x, y)


if __name__ == "__main__":
    main()
