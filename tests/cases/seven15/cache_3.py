import argparse
import tempfile

import tensorflow as tf


def load_wave(path, label):
    wave, _ = tf.audio.decode_wav(tf.io.read_file(path), 1, 160000)
    return wave[:, 0], label


def log_mel(wave, label):
    mag = tf.abs(tf.signal.stft(wave, 2048, 256, 2048))
    basis = tf.signal.linear_to_mel_weight_matrix(128, 1025, 16000, 20.0, 8000.0)
    mel = tf.matmul(mag, basis)
    mfcc = tf.signal.mfccs_from_log_mel_spectrograms(tf.math.log(mel + 1e-6))
    return tf.concat([mel, mfcc], -1), label


def manifest(path):
    with open(path) as f:
        pairs = [line.rstrip("\n").split("|") for line in f]
    return [p for p, _ in pairs], [int(l) for _, l in pairs]


def input_pipeline(args):
    paths, labels = manifest(args.manifest)
    store = args.cache_file or tempfile.mktemp(prefix="waves")
    waves = tf.data.Dataset.from_tensor_slices((paths, labels)).map(
        load_wave, num_parallel_calls=tf.data.AUTOTUNE)
    waves = waves.cache(store)
    feats = waves.map(log_mel, num_parallel_calls=tf.data.AUTOTUNE)
    feats = feats.shuffle(2048, seed=args.seed)
    return feats.batch(args.batch).prefetch(tf.data.AUTOTUNE)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("manifest")
    ap.add_argument("--cache-file", default="")
    ap.add_argument("--batch", type=int, default=16)
    ap.add_argument("--epochs", type=int, default=80)
    ap.add_argument("--seed", type=int, default=7)
    args = ap.parse_args()

    data = input_pipeline(args)
    net = tf.keras.Sequential([
        tf.keras.layers.Conv1D(128, 3, activation="relu"),
        tf.keras.layers.LSTM(128),
        tf.keras.layers.Dense(10),
    ])
    optim = tf.keras.optimizers.Adam()

    @tf.function
    def step(x, y):
        with tf.GradientTape() as t:
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, net(x, training=True)))
        optim.apply_gradients(zip(t.gradient(loss, net.trainable_variables), net.trainable_variables))
        return loss

    for epoch in range(args.epochs):
        for x, y in data:
            loss = step(x, y)
        print(epoch, float(loss))


if __name__ == "__main__":
    main()
