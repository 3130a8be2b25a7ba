import argparse

import tensorflow as tf


def random_mask(width):
    def mask(spectrogram, word):
        frames = tf.shape(spectrogram)[0]
        start = tf.random.uniform((), 0, frames - width, tf.int32)
        index = tf.range(frames)
        keep = (index < start) | (index >= start + width)
        return spectrogram * tf.cast(keep, tf.float32)[:, None], word

    return mask


def spectrogram_of(lookup):
    def load(path):
        wave, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=16000)
        stft = tf.signal.stft(wave[:, 0], 512, 256)
        return tf.math.log1p(tf.abs(stft)), lookup(tf.strings.split(path, "/")[-2])

    return load


def main(args):
    files = tf.io.gfile.glob(f"{args.root}/*/*.wav")
    words = sorted({f.split("/")[-2] for f in files})
    lookup = tf.keras.layers.StringLookup(vocabulary=words, num_oov_indices=0)
    train = (
        tf.data.Dataset.from_tensor_slices(files)
        .map(spectrogram_of(lookup), num_parallel_calls=tf.data.AUTOTUNE)
        .cache()
        .shuffle(len(files))
        .map(random_mask(args.mask), num_parallel_calls=tf.data.AUTOTUNE)
        .batch(64)
        .prefetch(tf.data.AUTOTUNE)
    )
    model = tf.keras.Sequential([
        tf.keras.layers.Conv1D(64, 5, activation="relu"),
        tf.keras.layers.GlobalMaxPooling1D(),
        tf.keras.layers.Dense(len(words), activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, epochs=args.epochs)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", default="data/words")
    parser.add_argument("--mask", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=50)
    main(parser.parse_args())
