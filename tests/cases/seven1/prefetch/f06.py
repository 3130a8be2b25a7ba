import tensorflow as tf

AUTO = tf.data.AUTOTUNE


def read(path):
    audio, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=16000)
    label = tf.strings.to_number(tf.strings.split(path, "_")[-2], tf.int32)
    return tf.squeeze(audio, -1), label


def spectrogram(wave, label):
    spec = tf.abs(tf.signal.stft(wave, frame_length=255, frame_step=128))
    return spec[..., tf.newaxis], label


ds = (tf.data.Dataset.list_files("/srv/speech/*.wav")
      .map(read, num_parallel_calls=AUTO)
      .prefetch(AUTO)
      .shuffle(4000)
      .batch(32)
      .map(spectrogram, num_parallel_calls=AUTO))

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.Conv2D(64, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(12),
])
model.compile(optimizer="adam",
              loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=30)
