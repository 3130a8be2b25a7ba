import tensorflow as tf

SPEC = {
    "audio": tf.io.FixedLenFeature([16000], tf.float32),
    "quality": tf.io.FixedLenFeature([], tf.float32),
    "speaker": tf.io.FixedLenFeature([], tf.int64),
}


def parse(record):
    return tf.io.parse_single_example(record, SPEC)


def spectrogram(ex):
    spec = tf.abs(tf.signal.stft(ex["audio"], 400, 160))
    return {"spec": tf.math.log1p(spec), "quality": ex["quality"], "speaker": ex["speaker"]}


def is_clean(ex):
    return ex["quality"] > 0.8


def dataset(pattern):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(4000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(spectrogram, num_parallel_calls=tf.data.AUTOTUNE).filter(is_clean)
    ds = ds.map(lambda ex: (ex["spec"], ex["speaker"]), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(64).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([tf.keras.layers.LSTM(64), tf.keras.layers.Dense(40, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(dataset("speakers-*.rec"), epochs=5)
