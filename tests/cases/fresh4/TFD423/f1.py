import numpy as np
import tensorflow as tf

LENGTH = 256


def spectrum(signal):
    window = np.hanning(LENGTH)
    return np.log1p(np.abs(np.fft.rfft(signal * window)))


def features(signal, label):
    values = tf.numpy_function(spectrum, [signal], tf.float32)
    values.set_shape([LENGTH // 2 + 1])
    return values, label


archive = np.load("bearings.npz")
train = tf.data.Dataset.from_tensor_slices((archive["signals"], archive["labels"]))
train = train.shuffle(4000)
train = train.map(features, num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(64).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((LENGTH // 2 + 1,)),
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.Dense(4, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, epochs=15)
