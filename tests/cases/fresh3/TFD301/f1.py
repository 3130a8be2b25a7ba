import keras
import tensorflow as tf


def to_spectrogram(audio, label):
    spec = tf.signal.stft(tf.squeeze(audio, -1), frame_length=255, frame_step=128)
    return tf.abs(spec)[..., tf.newaxis], label


def commands(folder):
    return keras.utils.audio_dataset_from_directory(
        folder, batch_size=None, output_sequence_length=16000, shuffle=False)


train = commands("mini_speech_commands/train")
names = train.class_names
train = train.cache()
train = train.shuffle(8000, seed=0).batch(64)
train = train.map(to_spectrogram, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

model = keras.Sequential([
    keras.layers.Conv2D(32, 3, activation="relu"),
    keras.layers.GlobalAveragePooling2D(),
    keras.layers.Dense(len(names), activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=10)
