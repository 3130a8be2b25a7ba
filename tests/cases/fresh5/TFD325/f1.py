import tensorflow as tf

VOCAB = 5000
SPEC = {"ids": tf.io.FixedLenFeature([128], tf.int64), "label": tf.io.FixedLenFeature([], tf.int64)}


def parse(record):
    f = tf.io.parse_single_example(record, SPEC)
    return f["ids"], f["label"]


def encode(ids, label):
    return tf.one_hot(ids, VOCAB), label


ds = tf.data.Dataset.list_files("/data/text/*.tfrecord", shuffle=False)
ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.map(encode, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.cache()
ds = ds.shuffle(1000).batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.LSTM(64),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(ds, epochs=10)
