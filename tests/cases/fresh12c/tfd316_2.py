import argparse
import pathlib

import tensorflow as tf

SPEC = {
    "ids": tf.io.RaggedFeature(tf.int64),
    "stars": tf.io.FixedLenFeature([], tf.int64),
}


def parse(rec):
    ex = tf.io.parse_single_example(rec, SPEC)
    ids = tf.cast(ex["ids"][:256], tf.int32)
    return tf.pad(ids, [[0, 256 - tf.size(ids)]]), ex["stars"] - 1


def read_split(pattern, cache_to):
    files = tf.data.Dataset.list_files(pattern, shuffle=False)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(lambda x, y: (tf.ensure_shape(x, [256]), y), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.cache(str(cache_to))


def transformer_block(x, heads=4, width=128):
    a = tf.keras.layers.MultiHeadAttention(heads, width // heads)(x, x)
    x = tf.keras.layers.LayerNormalization()(x + a)
    f = tf.keras.layers.Dense(width)(tf.keras.layers.Dense(4 * width, activation="gelu")(x))
    return tf.keras.layers.LayerNormalization()(x + f)


def run(args):
    data = {}
    for split in ("train", "dev", "test"):
        cache_to = pathlib.Path(args.scratch) / f"{args.name}.cache"
        data[split] = read_split(f"{args.records}/{split}-*.tfrecord", cache_to)

    train = data["train"].shuffle(50_000).batch(args.batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    dev, test = (data[s].batch(args.batch).prefetch(tf.data.AUTOTUNE) for s in ("dev", "test"))

    inp = tf.keras.Input((256,), dtype="int32")
    h = tf.keras.layers.Embedding(32_000, 128)(inp)
    for _ in range(2):
        h = transformer_block(h)
    out = tf.keras.layers.Dense(5)(tf.keras.layers.GlobalAveragePooling1D()(h))
    model = tf.keras.Model(inp, out)
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    model.fit(train, validation_data=dev, epochs=args.epochs)
    print(model.evaluate(test, return_dict=True))


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--records", default="/data/yelp/tokenized")
    ap.add_argument("--scratch", default="/local_ssd")
    ap.add_argument("--name", default="yelp5")
    ap.add_argument("--batch", type=int, default=128)
    ap.add_argument("--epochs", type=int, default=5)
    run(ap.parse_args())
