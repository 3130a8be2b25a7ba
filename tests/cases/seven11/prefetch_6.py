import jax
import jax.numpy as jnp
import optax
import tensorflow as tf
import tensorflow_datasets as tfds

tf.config.set_visible_devices([], "GPU")

SPLITS = {
    "train": dict(split="train[:95%]", shuffle=45_000, batch=512, repeat=True),
    "valid": dict(split="train[95%:]", batch=500, prefetch=2),
    "test": dict(split="test", batch=500, prefetch=2),
}


def scale(batch):
    x = tf.cast(batch["image"], tf.float32) / 255.0
    return {"image": (x - 0.5) / 0.25, "label": batch["label"]}


def make_splits(name):
    out = {}
    for key, opts in SPLITS.items():
        ds = tfds.load(name, split=opts["split"], shuffle_files=key == "train")
        ds = ds.cache()
        if opts.get("shuffle"):
            ds = ds.shuffle(opts["shuffle"], seed=0)
        if opts.get("repeat"):
            ds = ds.repeat()
        ds = ds.batch(opts["batch"], drop_remainder=True)
        ds = ds.map(scale, num_parallel_calls=tf.data.AUTOTUNE)
        if opts.get("prefetch"):
            ds = ds.prefetch(opts["prefetch"])
        out[key] = ds
    return out


def init(key, sizes=(3072, 1024, 512, 100)):
    keys = jax.random.split(key, len(sizes) - 1)
    return [
        (jax.random.normal(k, (m, n)) * (2.0 / m) ** 0.5, jnp.zeros(n))
        for k, m, n in zip(keys, sizes[:-1], sizes[1:])
    ]


def logits(params, x):
    x = x.reshape(x.shape[0], -1)
    for w, b in params[:-1]:
        x = jax.nn.relu(x @ w + b)
    w, b = params[-1]
    return x @ w + b


def main():
    data = make_splits("cifar100")
    params = init(jax.random.PRNGKey(0))
    tx = optax.adamw(1e-3)
    state = tx.init(params)

    @jax.jit
    def update(params, state, batch):
        def loss_fn(p):
            return optax.softmax_cross_entropy_with_integer_labels(
                logits(p, batch["image"]), batch["label"]
            ).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        upd, state = tx.update(grads, state, params)
        return optax.apply_updates(params, upd), state, loss

    train = data["train"].as_numpy_iterator()
    for step in range(20_000):
        params, state, loss = update(params, state, next(train))
        if step % 500 == 0:
            accs = [
                jnp.mean(jnp.argmax(logits(params, b["image"]), -1) == b["label"])
                for b in data["valid"].as_numpy_iterator()
            ]
            print(step, float(loss), float(jnp.mean(jnp.array(accs))))


if __name__ == "__main__":
    main()
