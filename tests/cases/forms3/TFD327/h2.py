import pandas as pd
import tensorflow as tf

PER_FILE = 1000


def float_feature(values):
    return tf.train.Feature(float_list=tf.train.FloatList(value=values))


def save_examples(path, rows, columns):
    with tf.io.TFRecordWriter(path) as writer:
        for row in rows.itertuples():
            x = [getattr(row, c) for c in columns]
            features = tf.train.Features(feature={"x": float_feature(x), "y": float_feature([row.target])})
            writer.write(tf.train.Example(features=features).SerializeToString())


def main():
    df = pd.read_parquet("measurements.parquet")
    columns = [c for c in df.columns if c != "target"]
    for start in range(0, len(df), PER_FILE):
        part = df.iloc[start:start + PER_FILE]
        save_examples(f"out/part_{start // PER_FILE:04d}.tfrecord", part, columns)


if __name__ == "__main__":
    main()
