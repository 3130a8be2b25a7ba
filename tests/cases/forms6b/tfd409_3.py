import jax
import jax.numpy as jnp
import numpy as np
import tensorflow as tf
import tensorflow_datasets as tfds
from sklearn.metrics import roc_auc_score


def normalize(example):
    return {
        "image": tf.cast(example["image"], tf.float32) / 255.0,
        "label": example["label"],
    }


def make_split(split, batch_size=256, buffer=8_192):
    ds = tfds.load("patch_camelyon", split=split)
    ds = ds.shuffle(buffer).map(normalize, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def init(key):
    k1, k2 = jax.random.split(key)
    return {
        "conv": jax.random.normal(k1, (7, 7, 3, 32)) * 0.02,
        "out": jax.random.normal(k2, (32,)) * 0.1,
    }


@jax.jit
def forward(params, images):
    x = jax.lax.conv_general_dilated(
        images, params["conv"], (4, 4), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )
    return jnp.mean(jax.nn.relu(x), axis=(1, 2)) @ params["out"]


def loss(params, batch):
    logits = forward(params, batch["image"])
    return jnp.mean(jnp.logaddexp(0.0, logits) - logits * batch["label"])


def collect(ds, fn):
    return np.concatenate([np.asarray(fn(batch)) for batch in tfds.as_numpy(ds)])


def main(epochs=3, rate=1e-2):
    train, val = make_split("train"), make_split("validation")
    params = init(jax.random.PRNGKey(0))
    grad = jax.jit(jax.grad(loss))
    for _ in range(epochs):
        for batch in tfds.as_numpy(train):
            params = jax.tree_util.tree_map(lambda p, g: p - rate * g, params, grad(params, batch))
    targets = collect(val, lambda batch: batch["label"])
    scores = collect(val, lambda batch: forward(params, batch["image"]))
    print("AUC", roc_auc_score(targets, scores))


if __name__ == "__main__":
    main()
