import glob

import jax
import jax.numpy as jnp
import numpy as np
import tensorflow as tf

SIDE = 84


def numbered(start=0):
    count = start

    def assign(frame):
        nonlocal count
        count += 1
        print("frame", count)
        gray = tf.image.rgb_to_grayscale(frame)
        gray = tf.image.resize(gray, (SIDE, SIDE)) / 255.0
        return {"frame_id": tf.constant(count), "obs": gray}

    return assign


def episode_frames(pattern):
    files = glob.glob(pattern)
    ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files))
    ds = ds.interleave(
        lambda f: tf.data.TFRecordDataset(f, compression_type="GZIP"),
        cycle_length=4,
        num_parallel_calls=tf.data.AUTOTUNE,
    )
    ds = ds.map(
        lambda r: tf.ensure_shape(tf.io.parse_tensor(r, tf.uint8), (210, 160, 3)),
        num_parallel_calls=tf.data.AUTOTUNE,
    )
    ds = ds.map(numbered(), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(512, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


@jax.jit
def encode(weights, obs):
    flat = obs.reshape(obs.shape[0], -1)
    return jnp.tanh(flat @ weights)


def main():
    weights = jax.random.normal(jax.random.PRNGKey(0), (SIDE * SIDE, 128)) * 0.01
    ids, codes = [], []
    for batch in episode_frames("/data/atari/pong-*.gz").as_numpy_iterator():
        ids.append(batch["frame_id"])
        codes.append(np.asarray(encode(weights, batch["obs"])))
    np.savez("codes.npz", ids=np.concatenate(ids), codes=np.concatenate(codes))


if __name__ == "__main__":
    main()
