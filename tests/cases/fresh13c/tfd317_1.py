"""Keyword spotting; hold-out is the first part of a shuffled file list."""
import random

import tensorflow as tf
from absl import app, flags

flags.DEFINE_string("root", "/data/speech_commands", "Folder with a folder per word")
flags.DEFINE_integer("holdout", 9000, "Number of utterances held out")
flags.DEFINE_integer("batch", 128, "Batch size")
FLAGS = flags.FLAGS


def list_utterances(root):
    files = tf.io.gfile.glob(root + "/*/*.wav")
    random.Random(13).shuffle(files)
    words = sorted({f.split("/")[-2] for f in files})
    return files, [words.index(f.split("/")[-2]) for f in files], words


def featurize(path, label):
    audio, _ = tf.audio.decode_wav(tf.io.read_file(path), 1, 16000)
    spec = tf.abs(tf.signal.stft(tf.squeeze(audio, -1), 400, 160, 512))
    mel = spec @ tf.signal.linear_to_mel_weight_matrix(40, 257, 16000)
    return tf.signal.mfccs_from_log_mel_spectrograms(tf.math.log(mel + 1e-6))[..., :20], label


def split(files, labels):
    everything = tf.data.Dataset.from_tensor_slices((files, labels))
    everything = everything.map(featurize, num_parallel_calls=tf.data.AUTOTUNE)
    held_out = everything.take(FLAGS.holdout)
    remaining = everything.skip(FLAGS.holdout)
    return (remaining.shuffle(10000).batch(FLAGS.batch).prefetch(tf.data.AUTOTUNE),
            held_out.batch(FLAGS.batch).prefetch(tf.data.AUTOTUNE))


def main(_):
    files, labels, words = list_utterances(FLAGS.root)
    train, valid = split(files, labels)
    model = tf.keras.Sequential([
        tf.keras.layers.Input((98, 20)),
        tf.keras.layers.Conv1D(64, 9, activation="relu"),
        tf.keras.layers.GRU(128),
        tf.keras.layers.Dense(len(words)),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    model.fit(train, validation_data=valid, epochs=20)


if __name__ == "__main__":
    app.run(main)
