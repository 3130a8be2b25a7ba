import tensorflow as tf
from tensorflow.keras import layers

SPEC = {
    "country": tf.io.FixedLenFeature([], tf.string),
    "query": tf.io.FixedLenFeature([], tf.string),
    "price": tf.io.FixedLenFeature([], tf.float32),
    "bought": tf.io.FixedLenFeature([], tf.float32),
}

country_lookup = layers.StringLookup(vocabulary="vocab/countries.txt")
query_hash = layers.Hashing(num_bins=50_000)


def encode(row):
    bought = row.pop("bought")
    features = {
        "country": country_lookup(row["country"]),
        "query": query_hash(row["query"]),
        "price": tf.math.log1p(row["price"]),
    }
    return features, bought


def pipeline(pattern):
    return (
        tf.data.Dataset.list_files(pattern)
        .interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
        .batch(2048)
        .map(lambda r: tf.io.parse_example(r, SPEC), num_parallel_calls=tf.data.AUTOTUNE)
        .unbatch()
        .shuffle(65_536)
        .map(encode, num_parallel_calls=tf.data.AUTOTUNE)
        .batch(1024, drop_remainder=True)
        .prefetch(tf.data.AUTOTUNE)
    )


country = tf.keras.Input((), dtype="int64", name="country")
query = tf.keras.Input((), dtype="int64", name="query")
price = tf.keras.Input((1,), name="price")
x = layers.Concatenate()([
    layers.Embedding(country_lookup.vocabulary_size(), 8)(country),
    layers.Embedding(50_000, 32)(query),
    price,
])
x = layers.Dense(128, activation="relu")(x)
model = tf.keras.Model({"country": country, "query": query, "price": price}, layers.Dense(1, activation="sigmoid")(x))
model.compile("adam", "binary_crossentropy")
model.fit(pipeline("/data/shop/part-*.tfrecord"), epochs=10)
