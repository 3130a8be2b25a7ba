import jax
import jax.numpy as jnp
import optax
import tensorflow as tf
import tensorflow_datasets as tfds

CONFIG = {
    "dataset": "food101",
    "batch": 512,
    "lr": 0.1,
    "prefetch": 0,
    "splits": {"train": "train[:90%]", "valid": "train[90%:]"},
}


def augment(ex):
    image = tf.image.resize(ex["image"], (128, 128))
    return {"image": image / 127.5 - 1.0, "label": ex["label"]}


def get_datasets(cfg):
    out = {}
    for name, split in cfg["splits"].items():
        ds = tfds.load(cfg["dataset"], split=split, shuffle_files=name == "train")
        if name == "train":
            ds = ds.shuffle(10_000).repeat()
        ds = ds.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(cfg["batch"], drop_remainder=True)
        if cfg["prefetch"]:
            ds = ds.prefetch(cfg["prefetch"])
        out[name] = ds
    return out


def loss_fn(params, x, y):
    logits = x.reshape((x.shape[0], -1)) @ params["w"] + params["b"]
    return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()


def main():
    data = get_datasets(CONFIG)
    params = {"w": jnp.zeros((128 * 128 * 3, 101)), "b": jnp.zeros(101)}
    opt = optax.sgd(CONFIG["lr"])
    state = opt.init(params)

    @jax.jit
    def update(params, state, x, y):
        grads = jax.grad(loss_fn)(params, x, y)
        updates, state = opt.update(grads, state)
        return optax.apply_updates(params, updates), state

    for step, batch in enumerate(data["train"].take(20000).as_numpy_iterator()):
        with jax.profiler.StepTraceAnnotation("train", step_num=step):
            params, state = update(params, state, batch["image"], batch["label"])


if __name__ == "__main__":
    main()
