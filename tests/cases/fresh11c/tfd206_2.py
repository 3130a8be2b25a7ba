import argparse
import functools

import tensorflow as tf

CLIP = 16000


def read_clip(path):
    wav, _ = tf.audio.decode_wav(tf.io.read_file(path), 1, CLIP)
    return wav[:, 0]


def mix_noise(wave, level, seed):
    noise = tf.random.stateless_normal(tf.shape(wave), seed, stddev=level)
    return wave + noise, wave


def denoiser():
    inputs = tf.keras.Input((CLIP,))
    x = tf.keras.layers.Reshape((CLIP, 1))(inputs)
    for width in (16, 32, 16):
        x = tf.keras.layers.Conv1D(width, 9, padding="same", activation="relu")(x)
    x = tf.keras.layers.Conv1D(1, 9, padding="same")(x)
    return tf.keras.Model(inputs, tf.keras.layers.Flatten()(x))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--wavs", default="/data/speech/*/*.wav")
    p.add_argument("--seed", type=int, default=7)
    p.add_argument("--noise", type=float, default=0.05)
    args = p.parse_args()

    add_noise = functools.partial(
        mix_noise, level=args.noise, seed=tf.constant([args.seed, 0]))
    ds = (tf.data.Dataset.list_files(args.wavs, shuffle=True)
          .map(read_clip, num_parallel_calls=tf.data.AUTOTUNE)
          .map(add_noise, num_parallel_calls=tf.data.AUTOTUNE)
          .batch(32, drop_remainder=True)
          .prefetch(tf.data.AUTOTUNE))
    model = denoiser()
    model.compile("adam", "mse")
    model.fit(ds, epochs=20)


if __name__ == "__main__":
    main()
