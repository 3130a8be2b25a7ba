import jax
import optax
import tensorflow_datasets as tfds
from absl import app, flags, logging

from net import apply, init

FLAGS = flags.FLAGS
flags.DEFINE_integer("batch", 128, "examples a step")
flags.DEFINE_integer("epochs", 30, "passes over the data")


def stream(name, epochs):
    ds = tfds.load(name, split="train", as_supervised=True, batch_size=FLAGS.batch)
    ds = ds.repeat(epochs)
    ds = ds.shuffle(buffer_size=1024)
    yield from tfds.as_numpy(ds.prefetch(2))


def loss_fn(params, x, y):
    logits = apply(params, x / 255.0)
    return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()


def main(_):
    params = init(jax.random.PRNGKey(1))
    tx = optax.adam(3e-4)
    opt_state = tx.init(params)

    @jax.jit
    def update(params, opt_state, x, y):
        loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
        updates, opt_state = tx.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    for step, (x, y) in enumerate(stream("cifar10", FLAGS.epochs)):
        params, opt_state, loss = update(params, opt_state, x, y)
        if step % 100 == 0:
            logging.info("step %d loss %.4f", step, loss)


if __name__ == "__main__":
    app.run(main)
