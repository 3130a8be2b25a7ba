import jax
import jax.numpy as jnp
import optax
import tensorflow as tf
import tensorflow_datasets as tfds

tf.config.set_visible_devices([], "GPU")

ds = tfds.load("imagenet_resized/8x8", split="train", shuffle_files=True)
ds = ds.shuffle(50_000).repeat().batch(1024, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
it = ds.as_numpy_iterator()

tx = optax.adam(1e-3)
w = jnp.zeros((8 * 8 * 3, 1000))
state = tx.init(w)


@jax.jit
def update(w, state, batch):
    def loss_fn(w):
        x = batch["image"].reshape((-1, 192)) / 255.0
        return optax.softmax_cross_entropy_with_integer_labels(x @ w, batch["label"]).mean()

    grads = jax.grad(loss_fn)(w)
    updates, state = tx.update(grads, state)
    return optax.apply_updates(w, updates), state


for step in range(500):
    with jax.profiler.StepTraceAnnotation("train", step_num=step):
        batch = next(it)
        w, state = update(w, state, batch)
