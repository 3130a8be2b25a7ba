import keras

from input_pipeline import load_split


def ranker():
    q = keras.Input((32,), name="query", dtype="int64")
    d = keras.Input((256,), name="doc", dtype="int64")
    emb = keras.layers.Embedding(50_000, 128)
    pool = keras.layers.GlobalAveragePooling1D()
    x = keras.layers.Concatenate()([pool(emb(q)), pool(emb(d))])
    x = keras.layers.Dense(256, activation="relu")(x)
    return keras.Model({"query": q, "doc": d}, keras.layers.Dense(1)(x))


if __name__ == "__main__":
    train = load_split("/data/rank/train-*.tfrecord.gz", 512)
    dev = load_split("/data/rank/dev-*.tfrecord.gz", 512, seed=1)
    m = ranker()
    m.compile("adam", "mse")
    m.fit(train, validation_data=dev, epochs=6)
