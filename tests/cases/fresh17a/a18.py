import argparse

import tensorflow as tf

SPEC = {
    "query": tf.io.FixedLenFeature([], tf.string),
    "doc": tf.io.FixedLenFeature([], tf.string),
    "grade": tf.io.FixedLenFeature([], tf.float32),
}


def reader(name):
    return tf.data.TFRecordDataset(name, buffer_size=4 << 20)


def to_pairs(records):
    ex = tf.io.parse_example(records, SPEC)
    return tf.strings.join([ex["query"], ex["doc"]], separator=" [SEP] "), ex["grade"]


def ranking_data(pattern, inputs, calls, batch):
    files = tf.data.Dataset.list_files(pattern, shuffle=True)
    ds = files.interleave(reader, cycle_length=inputs, num_parallel_calls=calls, block_length=16, deterministic=False)
    ds = ds.shuffle(100_000).batch(batch, drop_remainder=True)
    return ds.map(to_pairs, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--pattern", default="/search/judged/*.tfrecord")
    ap.add_argument("--inputs", type=int, default=16)
    ap.add_argument("--calls", type=int, default=16)
    ap.add_argument("--batch", type=int, default=256)
    args = ap.parse_args()
    train = ranking_data(args.pattern, args.inputs, args.calls, args.batch)
    vec = tf.keras.layers.TextVectorization(30_000, output_sequence_length=96)
    vec.adapt(train.map(lambda text, grade: text, num_parallel_calls=tf.data.AUTOTUNE).take(400))
    model = tf.keras.Sequential([
        tf.keras.Input((), dtype=tf.string),
        vec,
        tf.keras.layers.Embedding(30_000, 96),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", "mse")
    model.fit(train, epochs=5)


if __name__ == "__main__":
    main()
