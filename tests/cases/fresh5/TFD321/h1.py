import tensorflow as tf


def spectrogram(path, label):
    wav, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=16000)
    stft = tf.signal.stft(wav[:, 0], frame_length=255, frame_step=128)
    return tf.abs(stft)[..., tf.newaxis], label


paths = tf.io.gfile.glob("/data/mini_speech_commands/*/*.wav")
names = sorted({p.split("/")[-2] for p in paths})
labels = [names.index(p.split("/")[-2]) for p in paths]
ds = tf.data.Dataset.from_tensor_slices((paths, labels))
ds = ds.map(spectrogram, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.cache("/scratch/spectrograms").shuffle(2000).repeat()
ds = ds.batch(64).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(len(names)),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, steps_per_epoch=len(paths) // 64, epochs=25)
