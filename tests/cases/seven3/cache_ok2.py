import tensorflow as tf

CLASSES = 17
SPEC = {"audio": tf.io.FixedLenFeature([32000], tf.float32), "label": tf.io.FixedLenFeature([], tf.int64)}


def parse(records):
    ex = tf.io.parse_example(records, SPEC)
    return ex["audio"], ex["label"]


def features(audio, label):
    stft = tf.signal.stft(audio, 1024, 256)
    mel = tf.signal.linear_to_mel_weight_matrix(64, 513, 32000)
    return tf.math.log(tf.tensordot(tf.abs(stft), mel, 1) + 1e-6), label


def spec_mask(spec, label):
    start = tf.random.uniform((), 0, 50, tf.int32)
    keep = tf.concat([tf.ones((start, 64)), tf.zeros((8, 64)), tf.ones((tf.shape(spec)[1] - start - 8, 64))], 0)
    return spec * keep, label


names = tf.data.Dataset.list_files("/data/scenes/*.tfrecord", shuffle=False)
train = (
    names.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    .batch(64)
    .map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    .map(features, num_parallel_calls=tf.data.AUTOTUNE)
    .cache("/scratch/scenes")
    .shuffle(100)
    .map(spec_mask, num_parallel_calls=tf.data.AUTOTUNE)
    .prefetch(tf.data.AUTOTUNE)
)

model = tf.keras.Sequential([
    tf.keras.layers.Conv1D(96, 5, activation="relu"),
    tf.keras.layers.MaxPooling1D(2),
    tf.keras.layers.LSTM(96),
    tf.keras.layers.Dense(CLASSES, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=100)
