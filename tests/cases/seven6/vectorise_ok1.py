import argparse

import tensorflow as tf

HASH_BUCKETS = 100_000
COLUMNS = ["fare", "distance", "seconds", "pickup", "dropoff", "company"]
DEFAULTS = [0.0, 0.0, 0.0, "", "", ""]


def to_features(batch):
    """Works on whole batches of lines."""
    cols = dict(zip(COLUMNS, tf.io.decode_csv(batch, DEFAULTS)))
    numeric = tf.stack([cols["distance"], cols["seconds"]], axis=-1)
    numeric = tf.math.log1p(tf.maximum(numeric, 0.0))
    places = tf.stack(
        [tf.strings.to_hash_bucket_fast(cols[k], HASH_BUCKETS) for k in COLUMNS[3:]], axis=-1)
    return {"numeric": numeric, "places": places}, tf.math.log1p(cols["fare"])


def taxi(pattern, batch_size):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(
        lambda f: tf.data.TextLineDataset(f).skip(1),
        cycle_length=16,
        num_parallel_calls=tf.data.AUTOTUNE,
        deterministic=False)
    ds = ds.shuffle(200_000)
    ds = ds.batch(batch_size, drop_remainder=True)
    ds = ds.map(to_features, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def build():
    numeric = tf.keras.Input((2,), name="numeric")
    places = tf.keras.Input((3,), dtype=tf.int64, name="places")
    emb = tf.keras.layers.Flatten()(tf.keras.layers.Embedding(HASH_BUCKETS, 16)(places))
    x = tf.keras.layers.Concatenate()([numeric, emb])
    for units in (256, 128):
        x = tf.keras.layers.Dense(units, activation="gelu")(x)
    return tf.keras.Model([numeric, places], tf.keras.layers.Dense(1)(x))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pattern", default="gs://taxi-trips/2019/*.csv")
    parser.add_argument("--batch_size", type=int, default=2048)
    args = parser.parse_args()
    model = build()
    model.compile(tf.keras.optimizers.Adam(1e-3), "mae")
    model.fit(taxi(args.pattern, args.batch_size), epochs=3)
    model.save("taxi.keras")


if __name__ == "__main__":
    main()
