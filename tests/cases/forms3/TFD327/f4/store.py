import os

import tensorflow as tf


def store(folder, index, png, label):
    name = os.path.join(folder, "train-{:05d}.tfrecord".format(index))
    example = tf.train.Example()
    example.features.feature["png"].bytes_list.value.append(png)
    example.features.feature["label"].int64_list.value.append(label)
    with tf.io.TFRecordWriter(name) as out:
        out.write(example.SerializeToString())
