import jax
import jax.numpy as jnp
import optax
import tensorflow as tf
import yaml


def stage_read(cfg, _):
    filenames = tf.io.gfile.glob(cfg["pattern"])
    return tf.data.TFRecordDataset(filenames, "ZLIB", cfg.get("buffer", 8 << 20))


def stage_shuffle(cfg, ds):
    return ds.shuffle(cfg["size"])


def stage_batch(cfg, ds):
    return ds.repeat().batch(cfg["size"], drop_remainder=True)


def stage_parse(cfg, ds):
    spec = {
        "x": tf.io.FixedLenFeature([cfg["dim"]], tf.float32),
        "y": tf.io.FixedLenFeature([], tf.int64),
    }
    return ds.map(lambda r: tf.io.parse_example(r, spec), num_parallel_calls=tf.data.AUTOTUNE)


STAGES = {"read": stage_read, "shuffle": stage_shuffle, "batch": stage_batch, "parse": stage_parse}


def build(config):
    ds = None
    for name, options in config["pipeline"].items():
        ds = STAGES[name](options, ds)
    return ds.prefetch(tf.data.AUTOTUNE)


def loss_fn(params, batch):
    hidden = jax.nn.relu(batch["x"] @ params["w1"])
    logits = hidden @ params["w2"]
    return optax.softmax_cross_entropy_with_integer_labels(logits, batch["y"]).mean()


def main():
    with open("config.yaml") as f:
        config = yaml.safe_load(f)
    k1, k2 = jax.random.split(jax.random.key(0))
    params = {
        "w1": 0.02 * jax.random.normal(k1, (config["dim"], 1024)),
        "w2": 0.02 * jax.random.normal(k2, (1024, config["classes"])),
    }
    tx = optax.adam(1e-3)
    state = tx.init(params)

    @jax.jit
    def update(params, state, batch):
        loss, grads = jax.value_and_grad(loss_fn)(params, batch)
        updates, state = tx.update(grads, state)
        return optax.apply_updates(params, updates), state, loss

    for step, batch in zip(range(config["steps"]), build(config).as_numpy_iterator()):
        batch = jax.tree.map(jnp.asarray, batch)
        params, state, loss = update(params, state, batch)


if __name__ == "__main__":
    main()
