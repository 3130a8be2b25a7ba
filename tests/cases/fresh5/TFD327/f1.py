import os

import tensorflow as tf


def feature(value):
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=[value]))


def label_feature(value):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=[value]))


def convert(source, target):
    os.makedirs(target, exist_ok=True)
    for path in tf.io.gfile.glob(os.path.join(source, "*", "*.jpg")):
        label = int(path.split("/")[-2])
        example = tf.train.Example(features=tf.train.Features(feature={
            "image": feature(tf.io.read_file(path).numpy()),
            "label": label_feature(label),
        }))
        name = os.path.basename(path).replace(".jpg", ".tfrecord")
        with tf.io.TFRecordWriter(os.path.join(target, name)) as writer:
            writer.write(example.SerializeToString())


if __name__ == "__main__":
    convert("/data/raw", "/data/records")
