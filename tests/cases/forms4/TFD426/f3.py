import tensorflow as tf


class ClickLog:
    spec = {
        "query": tf.io.FixedLenFeature([], tf.string),
        "clicked": tf.io.FixedLenFeature([], tf.int64),
    }

    def __init__(self, pattern):
        self.pattern = pattern

    def parse(self, record):
        return tf.io.parse_single_example(record, self.spec)

    def features(self, query, clicked):
        words = tf.strings.split(tf.strings.lower(query))
        return tf.strings.reduce_join(words, separator=" "), clicked

    def dataset(self, batch_size=256):
        files = tf.data.Dataset.list_files(self.pattern)
        ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(50_000)
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self.features, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


vectorize = tf.keras.layers.TextVectorization(max_tokens=20_000, output_mode="multi_hot")
train = ClickLog("clicks/*.tfrecord").dataset()
vectorize.adapt(train.map(lambda query, clicked: query, num_parallel_calls=tf.data.AUTOTUNE))
model = tf.keras.Sequential([vectorize, tf.keras.layers.Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy")
model.fit(train, epochs=3)
