import librosa
import numpy as np
import tensorflow as tf
import keras


def mel(path):
    y, sr = librosa.load(path.decode("utf-8"), sr=22050, duration=3.0)
    y = np.pad(y, (0, max(0, 66150 - len(y))))
    return librosa.power_to_db(librosa.feature.melspectrogram(y=y, sr=sr, n_mels=64)).astype(np.float32)


def tf_mel(path):
    m = tf.numpy_function(mel, [path], tf.float32)
    m.set_shape((64, 130))
    return m[..., tf.newaxis]


def load_item(path):
    genre = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
    return tf_mel(path), genre


ds = (
    tf.data.Dataset.list_files("/data/gtzan/*/*.wav")
    .map(load_item, num_parallel_calls=tf.data.AUTOTUNE)
    .shuffle(256)
    .batch(32)
    .prefetch(tf.data.AUTOTUNE)
)

model = keras.Sequential([
    keras.layers.Conv2D(32, 3, activation="relu"),
    keras.layers.GlobalMaxPooling2D(),
    keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=50)
