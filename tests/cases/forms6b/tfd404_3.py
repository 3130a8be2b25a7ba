from absl import app, flags
import tensorflow as tf
from tensorflow.data import AUTOTUNE, Dataset

FLAGS = flags.FLAGS
flags.DEFINE_string("wav_glob", "/data/commands/*/*.wav", "Recordings.")
flags.DEFINE_integer("num_val", 10_000, "Recordings that are held out.")
flags.DEFINE_integer("batch_size", 64, "Recordings in a step.")

WORDS = tf.constant(["down", "go", "left", "no", "right", "stop", "up", "yes"])


def spectrogram(path):
    audio, _ = tf.audio.decode_wav(
        tf.io.read_file(path), desired_channels=1, desired_samples=16_000
    )
    stft = tf.signal.stft(tf.squeeze(audio, -1), frame_length=255, frame_step=128)
    word = tf.strings.split(path, "/")[-2]
    return tf.abs(stft)[..., tf.newaxis], tf.argmax(tf.cast(WORDS == word, tf.int32))


def hold_out(n):
    def apply_fn(ds):
        return ds.skip(n), ds.take(n)

    return apply_fn


def main(_):
    files = Dataset.list_files(FLAGS.wav_glob, seed=11)
    train_files, val_files = hold_out(FLAGS.num_val)(files)

    train_ds = train_files.map(spectrogram, num_parallel_calls=AUTOTUNE)
    val_ds = val_files.map(spectrogram, num_parallel_calls=AUTOTUNE)
    train_ds = train_ds.shuffle(2_000).batch(FLAGS.batch_size).prefetch(AUTOTUNE)
    val_ds = val_ds.batch(FLAGS.batch_size).prefetch(AUTOTUNE)

    model = tf.keras.Sequential([
        tf.keras.Input((124, 129, 1)),
        tf.keras.layers.Resizing(32, 32),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.GlobalMaxPooling2D(),
        tf.keras.layers.Dense(8, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train_ds, validation_data=val_ds, epochs=10)


if __name__ == "__main__":
    app.run(main)
