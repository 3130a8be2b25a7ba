import tensorflow as tf

SHARDS = [f"/data/corpus/shard-{i:03d}.txt" for i in range(200)]


def tokenize(line):
    ids = tf.strings.to_hash_bucket_fast(tf.strings.split(line)[:64], 20_000)
    ids = tf.pad(ids, [[0, 65 - tf.size(ids)]])
    return ids[:-1], ids[1:]


class Corpus:
    def __init__(self, shards):
        self.shards = shards

    def lines(self):
        return tf.data.TextLineDataset(self.shards)

    def batches(self, size):
        ds = self.lines().shuffle(50_000)
        ds = ds.map(tokenize, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(size).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Embedding(20_000, 128),
    tf.keras.layers.GRU(256, return_sequences=True),
    tf.keras.layers.Dense(20_000),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(Corpus(SHARDS).batches(64), epochs=2)
