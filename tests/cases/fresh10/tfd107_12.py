"""Speech command classifier in JAX on log-mel features."""
import argparse
import functools

import jax
import jax.numpy as jnp
import optax
import tensorflow as tf
import tensorflow_datasets as tfds


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--batch_size", type=int, required=True)
    p.add_argument("--sample_rate", type=int, default=16000)
    p.add_argument("--epochs", type=int, default=30)
    return p.parse_args()


def to_logmel(ex, sample_rate):
    wav = tf.cast(ex["audio"], tf.float32) / 32768.0
    wav = wav[:sample_rate]
    wav = tf.pad(wav, [[0, sample_rate - tf.shape(wav)[0]]])
    stft = tf.abs(tf.signal.stft(wav, 400, 160, 512))
    mel = tf.signal.linear_to_mel_weight_matrix(64, 257, sample_rate)
    return tf.math.log(tf.matmul(stft, mel) + 1e-6), ex["label"]


def finalize(ds, bs):
    """Common tail of every input pipeline."""
    ds = ds.batch(bs, drop_remainder=True)
    ds = ds.prefetch(buffer_size=bs)
    return ds


def get_train(args):
    ds = tfds.load("speech_commands", split="train", shuffle_files=True)
    ds = ds.shuffle(20_000, reshuffle_each_iteration=True)
    ds = ds.map(functools.partial(to_logmel, sample_rate=args.sample_rate),
                num_parallel_calls=tf.data.AUTOTUNE)
    return ds.apply(functools.partial(finalize, bs=args.batch_size))


def loss_fn(params, x, y):
    h = jnp.mean(jax.nn.relu(x @ params["w1"] + params["b1"]), axis=1)
    logits = h @ params["w2"]
    return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()


def main():
    args = parse_args()
    key = jax.random.PRNGKey(0)
    params = {
        "w1": jax.random.normal(key, (64, 256)) * 0.05,
        "b1": jnp.zeros((256,)),
        "w2": jax.random.normal(key, (256, 12)) * 0.05,
    }
    opt = optax.adamw(1e-3)
    state = opt.init(params)

    @jax.jit
    def update(params, state, x, y):
        loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
        upd, state = opt.update(grads, state, params)
        return optax.apply_updates(params, upd), state, loss

    train = get_train(args)
    for epoch in range(args.epochs):
        for x, y in train.as_numpy_iterator():
            params, state, loss = update(params, state, x, y)
        print(epoch, float(loss))


if __name__ == "__main__":
    main()
