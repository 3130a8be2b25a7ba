"""Language-specific keyword model from multilingual shards."""
import argparse

import tensorflow as tf

SCHEMA = {
    "wav": tf.io.FixedLenFeature([], tf.string),
    "lang": tf.io.FixedLenFeature([], tf.string),
    "word": tf.io.FixedLenFeature([], tf.int64),
}


def parse(raw):
    return tf.io.parse_single_example(raw, SCHEMA)


def add_mfcc(ex):
    wave, _ = tf.audio.decode_wav(ex["wav"], desired_channels=1, desired_samples=16000)
    spec = tf.abs(tf.signal.stft(tf.squeeze(wave, -1), 480, 160, fft_length=512))
    mel = tf.matmul(spec, tf.signal.linear_to_mel_weight_matrix(40, 257, 16000, 20.0, 7800.0))
    mfcc = tf.signal.mfccs_from_log_mel_spectrograms(tf.math.log(mel + 1e-6))
    return {"x": mfcc, "lang": ex["lang"], "word": ex["word"]}


def only(language):
    def same(ex):
        return tf.equal(ex["lang"], language)
    return same


def keywords(args):
    names = tf.io.gfile.glob(args.shards)
    return (
        tf.data.Dataset.from_tensor_slices(names)
        .shuffle(len(names))
        .interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=8, deterministic=False)
        .shuffle(16_384)
        .map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        .map(add_mfcc, num_parallel_calls=tf.data.AUTOTUNE)
        .filter(only(args.language))
        .map(lambda ex: (ex["x"], ex["word"]), num_parallel_calls=tf.data.AUTOTUNE)
        .batch(args.batch, drop_remainder=True)
        .prefetch(tf.data.AUTOTUNE)
    )


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--shards", default="/speech/mswc/*.tfrecord")
    p.add_argument("--language", default="rw")
    p.add_argument("--batch", type=int, default=256)
    args = p.parse_args()
    model = tf.keras.Sequential([
        tf.keras.layers.Conv1D(64, 5, activation="relu"),
        tf.keras.layers.GRU(96),
        tf.keras.layers.Dense(500),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(keywords(args), epochs=10)


if __name__ == "__main__":
    main()
