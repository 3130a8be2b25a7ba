"""Hotel ranking: string ids are looked up on whole batches."""
import tensorflow as tf

SCHEMA = {
    "query": {"kind": "string", "vocab": "/vocab/query.txt"},
    "hotel": {"kind": "string", "vocab": "/vocab/hotel.txt"},
    "price": {"kind": "float"},
    "booked": {"kind": "label"},
}


def lookups(schema):
    return {k: tf.keras.layers.StringLookup(vocabulary=v["vocab"])
            for k, v in schema.items() if v["kind"] == "string"}


class RankingInput:
    TABLE = lookups(SCHEMA)

    def __init__(self, pattern, batch_size=8192, training=True):
        self.pattern, self.batch_size, self.training = pattern, batch_size, training

    def spec(self):
        types = {"string": tf.string, "float": tf.float32, "label": tf.float32}
        return {k: tf.io.FixedLenFeature([], types[v["kind"]]) for k, v in SCHEMA.items()}

    def prepare(self, serialized):
        cols = tf.io.parse_example(serialized, self.spec())
        for name, table in self.TABLE.items():
            cols[name] = table(cols[name])
        cols["price"] = tf.math.log1p(cols["price"])[:, tf.newaxis]
        return cols, cols.pop("booked")

    def __call__(self):
        files = tf.data.Dataset.list_files(self.pattern, shuffle=self.training)
        ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        if self.training:
            ds = ds.shuffle(300_000)
        return (ds.batch(self.batch_size)
                  .map(self.prepare, num_parallel_calls=tf.data.AUTOTUNE)
                  .prefetch(tf.data.AUTOTUNE))


class Ranker(tf.keras.Model):
    def __init__(self, tables):
        super().__init__()
        self.emb = {k: tf.keras.layers.Embedding(t.vocabulary_size(), 32) for k, t in tables.items()}
        self.mlp = tf.keras.Sequential([tf.keras.layers.Dense(256, "relu"), tf.keras.layers.Dense(1)])

    def call(self, x):
        parts = [e(x[k]) for k, e in self.emb.items()]
        return self.mlp(tf.concat(parts + [x["price"]], -1))


model = Ranker(RankingInput.TABLE)
model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True))
model.fit(RankingInput("/logs/rank/train-*")(), validation_data=RankingInput("/logs/rank/eval-*", training=False)(),
          epochs=2)
