"""Flax ViT trainer: resumes in the middle of the (seeded) data stream."""
import argparse

import flax.linen as nn
import jax
import optax
import orbax.checkpoint as ocp
import tensorflow as tf
from flax.training import train_state


def decode(record):
    ex = tf.io.parse_single_example(record, {"jpeg": tf.io.FixedLenFeature([], tf.string),
                                             "label": tf.io.FixedLenFeature([], tf.int64)})
    image = tf.io.decode_jpeg(ex["jpeg"], channels=3)
    image = tf.image.resize(image, [224, 224]) / 127.5 - 1.0
    return {"image": image, "label": ex["label"]}


def stream(pattern, batch, first_step):
    files = sorted(tf.io.gfile.glob(pattern))
    ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files), seed=0)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(10000, seed=0).repeat()
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch, drop_remainder=True)
    if first_step > 0:
        ds = ds.skip(first_step)
    return ds.prefetch(tf.data.AUTOTUNE).as_numpy_iterator()


class Net(nn.Module):
    classes: int = 1000

    @nn.compact
    def __call__(self, x):
        x = nn.Conv(384, (16, 16), strides=(16, 16))(x).reshape(x.shape[0], -1, 384)
        for _ in range(6):
            x = x + nn.SelfAttention(num_heads=6)(nn.LayerNorm()(x))
            x = x + nn.Dense(384)(nn.gelu(nn.Dense(1536)(nn.LayerNorm()(x))))
        return nn.Dense(self.classes)(x.mean(axis=1))


@jax.jit
def step_fn(state, batch):
    def loss(p):
        logits = state.apply_fn({"params": p}, batch["image"])
        return optax.softmax_cross_entropy_with_integer_labels(logits, batch["label"]).mean()
    return state.apply_gradients(grads=jax.grad(loss)(state.params))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--pattern", default="/data/imagenet/train-*")
    ap.add_argument("--workdir", default="/ckpt/vit")
    ap.add_argument("--batch", type=int, default=512)
    ap.add_argument("--steps", type=int, default=200_000)
    args = ap.parse_args()
    net = Net()
    params = net.init(jax.random.PRNGKey(0), jax.numpy.ones((1, 224, 224, 3)))["params"]
    state = train_state.TrainState.create(apply_fn=net.apply, params=params, tx=optax.adamw(1e-3))
    manager = ocp.CheckpointManager(args.workdir)
    done = manager.latest_step() or 0
    if done:
        state = manager.restore(done, args=ocp.args.StandardRestore(state))
    data = stream(args.pattern, args.batch, done)
    for step in range(done, args.steps):
        state = step_fn(state, next(data))
        if (step + 1) % 5000 == 0:
            manager.save(step + 1, args=ocp.args.StandardSave(state))


if __name__ == "__main__":
    main()
