import tensorflow as tf

from features import load_features


def read_manifest(name):
    with open(name) as fh:
        rows = [line.rstrip("\n").split("\t") for line in fh]
    return [r[0] for r in rows], [int(r[1]) for r in rows]


def make_input(manifest, batch_size, train):
    paths, labels = read_manifest(manifest)
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    ds = ds.cache()
    if train:
        ds = ds.shuffle(len(paths))
    ds = ds.map(load_features, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    model = tf.keras.Sequential([
        tf.keras.layers.Conv1D(128, 5, activation="relu"),
        tf.keras.layers.GRU(128),
        tf.keras.layers.Dense(8, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(make_input("train.tsv", 64, True), validation_data=make_input("dev.tsv", 64, False), epochs=80)
