"""Bird calls: a linear probe in JAX on log-mel frames."""
import jax
import jax.numpy as jnp
import optax
import tensorflow as tf

MAP_KWARGS = {"deterministic": False}
RATE, SECONDS, MELS, CLASSES = 32_000, 5, 128, 264
MEL = tf.signal.linear_to_mel_weight_matrix(MELS, 513, RATE, 60.0, 15_000.0)


def log_mel(record):
    ex = tf.io.parse_single_example(record, {
        "wav": tf.io.FixedLenFeature([], tf.string),
        "bird": tf.io.FixedLenFeature([], tf.int64),
    })
    audio, _ = tf.audio.decode_wav(ex["wav"], desired_channels=1, desired_samples=RATE * SECONDS)
    spec = tf.abs(tf.signal.stft(audio[:, 0], 1024, 320))
    mel = tf.math.log(spec @ MEL + 1e-5)
    return tf.reduce_mean(mel, axis=0), ex["bird"]


def clips(pattern, batch_size):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(5_000).repeat()
    ds = ds.map(log_mel, **MAP_KWARGS)
    ds = ds.batch(batch_size, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


def loss_fn(params, x, y):
    logits = x @ params["w"] + params["b"]
    return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()


def main():
    tx = optax.adamw(1e-3)
    params = {"w": jnp.zeros((MELS, CLASSES)), "b": jnp.zeros(CLASSES)}
    state = tx.init(params)

    @jax.jit
    def step(params, state, x, y):
        loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
        updates, state = tx.update(grads, state, params)
        return optax.apply_updates(params, updates), state, loss

    stream = clips("/data/birdclef/train-*.tfrecord", 256).as_numpy_iterator()
    for i in range(50_000):
        x, y = next(stream)
        params, state, loss = step(params, state, x, y)
        if i % 1000 == 0:
            print(i, float(loss))


if __name__ == "__main__":
    main()
