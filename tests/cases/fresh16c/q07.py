"""Keyword spotting on Speech Commands, mel spectrograms + small CNN."""
import tensorflow as tf
import tensorflow_datasets as tfds

CONFIG = {
    "batch": 256,
    "epochs": 30,
    "steps": 100,          # shorter epochs, validation more often
    "rate": 16_000,
    "mels": 40,
}


def spectrogram(audio, label):
    audio = tf.cast(audio, tf.float32) / 32768.0
    audio = audio[: CONFIG["rate"]]
    audio = tf.pad(audio, [[0, CONFIG["rate"] - tf.shape(audio)[0]]])
    stft = tf.abs(tf.signal.stft(audio, 400, 160, fft_length=512))
    mel = tf.signal.linear_to_mel_weight_matrix(CONFIG["mels"], 257, CONFIG["rate"])
    feats = tf.math.log(tf.matmul(stft, mel) + 1e-6)
    return tf.ensure_shape(feats, [98, CONFIG["mels"]])[..., None], label


def pipeline(ds, training):
    if training:
        ds = ds.shuffle(20_000)
    ds = ds.map(spectrogram, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(CONFIG["batch"], drop_remainder=training)
    return ds.prefetch(tf.data.AUTOTUNE)


(train, val), info = tfds.load(
    "speech_commands", split=["train", "validation"], as_supervised=True, with_info=True, shuffle_files=True)
train = pipeline(train, True)
val = pipeline(val, False)

model = tf.keras.Sequential([
    tf.keras.Input((98, CONFIG["mels"], 1)),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.MaxPool2D(),
    tf.keras.layers.Conv2D(64, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(info.features["label"].num_classes, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])

print(info.splits["train"].num_examples, "training clips")
model.fit(
    train,
    epochs=CONFIG["epochs"],
    steps_per_epoch=CONFIG["steps"],
    validation_data=val,
)
