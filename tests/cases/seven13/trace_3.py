"""Flax ResNet-like training; the input is tf.data, the profiler is JAX's."""
import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
import tensorflow as tf
from flax.training import train_state

PROFILE = range(100, 120)


class Net(nn.Module):
    classes: int = 1000

    @nn.compact
    def __call__(self, x):
        for width, stride in ((64, 2), (128, 2), (256, 2), (512, 2)):
            x = nn.relu(nn.Conv(width, (3, 3), strides=stride)(x))
            x = nn.LayerNorm()(x + nn.Conv(width, (3, 3))(x))
        return nn.Dense(self.classes)(x.mean((1, 2)))


def input_stream(pattern, batch):
    def parse(rec):
        ex = tf.io.parse_single_example(rec, {
            "image": tf.io.FixedLenFeature([], tf.string), "label": tf.io.FixedLenFeature([], tf.int64)})
        begin, size, _ = tf.image.sample_distorted_bounding_box(
            tf.io.extract_jpeg_shape(ex["image"]), tf.zeros([1, 0, 4]),
            area_range=(0.08, 1.0), use_image_if_no_bounding_boxes=True)
        window = tf.stack([begin[0], begin[1], size[0], size[1]])
        img = tf.image.resize(tf.image.decode_and_crop_jpeg(ex["image"], window, 3), [224, 224])
        return {"image": img / 255.0, "label": ex["label"]}
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(16_384).repeat().map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE).as_numpy_iterator()


@jax.jit
def train_step(state, batch):
    def loss_fn(params):
        logits = state.apply_fn({"params": params}, batch["image"])
        return optax.softmax_cross_entropy_with_integer_labels(logits, batch["label"]).mean()
    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def main(pattern="/data/imagenet/train-*", steps=450_000):
    net = Net()
    params = net.init(jax.random.PRNGKey(0), jnp.zeros([1, 224, 224, 3]))["params"]
    state = train_state.TrainState.create(apply_fn=net.apply, params=params, tx=optax.adamw(1e-3))
    for step, batch in zip(range(steps), input_stream(pattern, 256)):
        if step == PROFILE.start:
            jax.profiler.start_trace("/tmp/flax_prof")
        with jax.profiler.StepTraceAnnotation("train", step_num=step):
            state, loss = train_step(state, batch)
        if step == PROFILE.stop:
            loss.block_until_ready()
            jax.profiler.stop_trace()
        if step % 1000 == 0:
            print(step, np.asarray(loss))


if __name__ == "__main__":
    main()
