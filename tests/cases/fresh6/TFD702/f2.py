import tensorflow as tf
from tensorflow.data.experimental import bucket_by_sequence_length


def tokenize(line):
    ids = tf.strings.to_hash_bucket_fast(tf.strings.split(line), 20_000)
    return ids[1:], tf.strings.to_number(tf.strings.split(line)[0])


class Reviews:
    boundaries = [16, 32, 64, 128]

    def __init__(self, pattern, size):
        self.pattern = pattern
        self.sizes = [size * 4, size * 2, size, size, size // 2]

    def dataset(self):
        files = tf.data.Dataset.list_files(self.pattern)
        ds = files.interleave(tf.data.TextLineDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(20_000).map(tokenize, num_parallel_calls=tf.data.AUTOTUNE)
        bucket = bucket_by_sequence_length(lambda ids, y: tf.size(ids), self.boundaries, self.sizes)
        return ds.apply(bucket).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Embedding(20_000, 64),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(Reviews("/data/reviews/*.txt", 64).dataset(), epochs=4)
