import glob

import tensorflow as tf

with tf.io.TFRecordWriter("photos.tfrecord") as writer:
    for path in sorted(glob.glob("photos/*.jpg")):
        with open(path, "rb") as f:
            data = f.read()
        example = tf.train.Example(features=tf.train.Features(feature={
            "image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[data])),
            "name": tf.train.Feature(bytes_list=tf.train.BytesList(value=[path.encode()])),
        }))
        writer.write(example.SerializeToString())
