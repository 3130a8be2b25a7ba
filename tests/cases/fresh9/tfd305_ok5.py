"""Keyword spotting on Speech Commands."""
import tensorflow as tf
import tensorflow_datasets as tfds

RATE = 16_000


def fix_length(audio, label):
    audio = tf.cast(audio[:RATE], tf.float32) / 32768.0
    audio = tf.pad(audio, [[0, RATE - tf.shape(audio)[0]]])
    return tf.ensure_shape(audio, [RATE]), label


def log_mel(audio, label):
    stft = tf.signal.stft(audio, 400, 160, fft_length=512)
    mel = tf.signal.linear_to_mel_weight_matrix(64, 257, RATE, 60.0, 7600.0)
    return tf.math.log(tf.matmul(tf.abs(stft) ** 2, mel) + 1e-6), label


def get_split(split, batch_size=64):
    ds = tfds.load("speech_commands", split=split, as_supervised=True,
                   shuffle_files=split == "train")
    if split == "train":
        ds = ds.shuffle(4096)
    ds = ds.map(fix_length, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size)
    ds = ds.map(log_mel, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def model_fn():
    return tf.keras.Sequential([
        tf.keras.Input((98, 64)),
        tf.keras.layers.Conv1D(128, 5, activation="relu"),
        tf.keras.layers.Conv1D(128, 5, activation="relu"),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(12, activation="softmax"),
    ])


if __name__ == "__main__":
    model = model_fn()
    model.compile("adam", "sparse_categorical_crossentropy", ["accuracy"])
    model.fit(get_split("train"), validation_data=get_split("validation"), epochs=25)
