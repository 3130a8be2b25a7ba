import jax
import optax
import tensorflow as tf
import tensorflow_datasets as tfds
from flax.training import train_state

from models import ResNet18

tf.config.set_visible_devices([], "GPU")


def normalize(image, label):
    image = tf.cast(tf.image.resize(image, (224, 224)), tf.float32) / 127.5 - 1.0
    return image, label


def train_batches(batch_size):
    ds = tfds.load("food101", split="train", as_supervised=True)
    ds = ds.repeat()
    ds = ds.map(normalize, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    return tfds.as_numpy(ds)


def loss_fn(params, state, images, labels):
    logits = state.apply_fn({"params": params}, images)
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


@jax.jit
def train_step(state, images, labels):
    loss, grads = jax.value_and_grad(loss_fn)(state.params, state, images, labels)
    return state.apply_gradients(grads=grads), loss


def main(steps=60_000):
    model = ResNet18(num_classes=101)
    params = model.init(jax.random.PRNGKey(0), jax.numpy.ones((1, 224, 224, 3)))["params"]
    state = train_state.TrainState.create(
        apply_fn=model.apply, params=params, tx=optax.sgd(0.1, 0.9))
    for step, (images, labels) in zip(range(steps), train_batches(128)):
        state, loss = train_step(state, images, labels)
        if step % 200 == 0:
            print(step, float(loss))


if __name__ == "__main__":
    main()
