import tensorflow as tf


def file_names(root):
    return tf.data.Dataset.list_files(root + "/*.wav")


def spectrogram(path):
    wave, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=16000)
    return tf.abs(tf.signal.stft(tf.squeeze(wave, -1), 512, 128)), tf.strings.split(path, "_")[-1]


index = tf.keras.layers.StringLookup(vocabulary=["yes.wav", "no.wav", "up.wav"], num_oov_indices=0)


def encode(spec, name):
    return spec, index(name)


ds = file_names("/data/words")
for fn in (spectrogram, encode):
    ds = ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.cache().shuffle(3000).batch(64).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([tf.keras.layers.LSTM(64), tf.keras.layers.Dense(3)])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=50)
