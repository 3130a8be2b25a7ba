import numpy as np
import tensorflow as tf


def serialize(path):
    features = {"image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[tf.io.read_file(path).numpy()]))}
    return tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()


def convert(pattern, target, shards=64):
    paths = sorted(tf.io.gfile.glob(pattern))
    for i, part in enumerate(np.array_split(paths, shards)):
        with tf.io.TFRecordWriter(f"{target}/data-{i:05d}-of-{shards:05d}.tfrecord") as writer:
            for path in part:
                writer.write(serialize(path))


convert("/data/raw/*.jpg", "/data/records")
