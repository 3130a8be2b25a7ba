import tensorflow as tf
from tensorflow.data import AUTOTUNE, Dataset

BATCH = 256


def load_clip(path, label):
    audio, _ = tf.audio.decode_wav(tf.io.read_file(path), 1, 16000)
    spec = tf.signal.stft(audio[:, 0], 400, 160)
    return tf.math.log(tf.abs(spec) + 1e-6), label


def mix(features, labels):
    other = tf.roll(features, 1, axis=0)
    return 0.8 * features + 0.2 * other, labels


def speech_dataset(paths, labels, training):
    ds = Dataset.from_tensor_slices((paths, labels))
    if training:
        ds = ds.shuffle(len(paths))
    ds = ds.map(load_clip, num_parallel_calls=AUTOTUNE)
    ds = ds.batch(BATCH, drop_remainder=True).prefetch(AUTOTUNE)
    if training:
        ds = ds.map(mix, num_parallel_calls=AUTOTUNE)
    return ds


def main():
    paths = sorted(tf.io.gfile.glob("/data/speech_commands/*/*.wav"))
    words = sorted({p.split("/")[-2] for p in paths})
    labels = [words.index(p.split("/")[-2]) for p in paths]
    train_ds = speech_dataset(paths, labels, training=True)
    model = tf.keras.Sequential([
        tf.keras.Input((98, 257)),
        tf.keras.layers.Conv1D(128, 5, activation="relu"),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(len(words)),
    ])
    model.compile(
        optimizer="adam",
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    model.fit(train_ds, epochs=40)


if __name__ == "__main__":
    main()
