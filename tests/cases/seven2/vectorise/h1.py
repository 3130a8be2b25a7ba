import tensorflow as tf


def spectrogram(path):
    audio, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1)
    stft = tf.signal.stft(audio[:, 0], frame_length=400, frame_step=160)
    label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
    return tf.math.log(tf.abs(stft) + 1e-6), label


def speech(pattern, batch_size):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.map(spectrogram, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.padded_batch(batch_size, padded_shapes=([None, 257], []), drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.Input((None, 257)),
    tf.keras.layers.Conv1D(128, 5, activation="relu"),
    tf.keras.layers.GRU(128),
    tf.keras.layers.Dense(60, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(speech("/data/speech/*/*.wav", 32), epochs=15)
