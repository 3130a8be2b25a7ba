import jax
import jax.numpy as jnp
import optax
import tensorflow as tf
import tensorflow_datasets as tfds
from flax import linen as nn

tf.config.set_visible_devices([], "GPU")


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Conv(64, (3, 3), strides=(2, 2))(x))
        x = nn.relu(nn.Conv(128, (3, 3), strides=(2, 2))(x))
        return nn.Dense(1000)(x.mean(axis=(1, 2)))


net = Net()
tx = optax.adam(1e-3)


@jax.jit
def update(params, opt_state, batch):
    def loss_fn(p):
        logits = net.apply(p, batch["image"] / 255.0)
        return optax.softmax_cross_entropy_with_integer_labels(logits, batch["label"]).mean()

    loss, grads = jax.value_and_grad(loss_fn)(params)
    updates, opt_state = tx.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, loss


ds = tfds.load("imagenet_resized/32x32", split="train", shuffle_files=True)
ds = ds.shuffle(20_000).repeat(3).batch(512, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

params = net.init(jax.random.key(0), jnp.zeros((1, 32, 32, 3)))
opt_state = tx.init(params)

jax.profiler.start_trace("/tmp/jax-trace")
for step, batch in enumerate(ds.as_numpy_iterator()):
    with jax.profiler.StepTraceAnnotation("train", step_num=step):
        params, opt_state, loss = update(params, opt_state, batch)
jax.profiler.stop_trace()
