import pandas as pd
import tensorflow as tf


def float_feature(values):
    return tf.train.Feature(float_list=tf.train.FloatList(value=values))


def save_example(path, x, y):
    features = tf.train.Features(feature={"x": float_feature(x), "y": float_feature([y])})
    writer = tf.io.TFRecordWriter(path)
    writer.write(tf.train.Example(features=features).SerializeToString())
    writer.close()


def main():
    df = pd.read_parquet("measurements.parquet")
    columns = [c for c in df.columns if c != "target"]
    for row in df.itertuples():
        x = [getattr(row, c) for c in columns]
        save_example(f"out/row_{row.Index}.tfrecord", x, row.target)


if __name__ == "__main__":
    main()
