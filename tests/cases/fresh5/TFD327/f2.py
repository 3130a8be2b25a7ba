import pandas as pd
import tensorflow as tf


def serialize(row):
    features = {
        "x": tf.train.Feature(float_list=tf.train.FloatList(value=[row.a, row.b, row.c])),
        "y": tf.train.Feature(int64_list=tf.train.Int64List(value=[row.target])),
    }
    return tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()


def write_one(filename, payload):
    writer = tf.io.TFRecordWriter(filename)
    writer.write(payload)
    writer.close()


def export(csv_path, out_dir):
    frame = pd.read_csv(csv_path)
    for i, row in enumerate(frame.itertuples()):
        write_one(f"{out_dir}/row_{i:08d}.tfrecord", serialize(row))


export("/data/table.csv", "/data/table_records")
