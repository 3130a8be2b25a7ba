import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
RATE = 16000

files = tf.io.gfile.glob("/data/speech_commands/*/*.wav")
names = sorted({f.split("/")[-2] for f in files})
lookup = tf.keras.layers.StringLookup(vocabulary=names, num_oov_indices=0)


def read(path):
    wave, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=RATE)
    return wave[:, 0], tf.strings.split(path, "/")[-2]


def spectrogram(wave, word):
    stft = tf.signal.stft(wave, frame_length=640, frame_step=160)
    mel_matrix = tf.signal.linear_to_mel_weight_matrix(40, stft.shape[-1], RATE, 20.0, 7600.0)
    mel = tf.matmul(tf.abs(stft), mel_matrix)
    mfcc = tf.signal.mfccs_from_log_mel_spectrograms(tf.math.log(mel + 1e-6))
    return mfcc[..., :13], lookup(word)


train = tf.data.Dataset.from_tensor_slices(files)
train = train.map(read, num_parallel_calls=AUTOTUNE)
train = train.cache("/tmp/speech_cache")
train = train.map(spectrogram, num_parallel_calls=AUTOTUNE)
train = train.shuffle(5000).batch(128).prefetch(AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv1D(64, 5, activation="relu"),
    tf.keras.layers.GRU(64),
    tf.keras.layers.Dense(len(names), activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=60)
