import argparse
import functools

import tensorflow as tf

CLIP = 16000


def read_clip(path):
    wav, _ = tf.audio.decode_wav(tf.io.read_file(path), 1, CLIP)
    return wav[:, 0]


def mix_noise(number, wave, level, base_seed):
    seed = tf.random.experimental.stateless_fold_in(base_seed, number)
    noise = tf.random.stateless_normal(tf.shape(wave), seed, stddev=level)
    return wave + noise, wave


def build(args):
    add_noise = functools.partial(
        mix_noise, level=args.noise,
        base_seed=tf.constant([args.seed, 0], tf.int64))
    return (tf.data.Dataset.list_files(args.wavs, shuffle=True)
            .repeat()
            .map(read_clip, num_parallel_calls=tf.data.AUTOTUNE)
            .enumerate()
            .map(add_noise, num_parallel_calls=tf.data.AUTOTUNE)
            .batch(32, drop_remainder=True)
            .prefetch(tf.data.AUTOTUNE))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--wavs", default="/data/speech/*/*.wav")
    p.add_argument("--seed", type=int, default=7)
    p.add_argument("--noise", type=float, default=0.05)
    args = p.parse_args()
    model = tf.keras.Sequential([
        tf.keras.Input((CLIP,)),
        tf.keras.layers.Dense(256, activation="relu"),
        tf.keras.layers.Dense(CLIP),
    ])
    model.compile("adam", "mse")
    model.fit(build(args), epochs=20, steps_per_epoch=2000)


if __name__ == "__main__":
    main()
