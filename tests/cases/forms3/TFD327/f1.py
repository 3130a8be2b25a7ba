import glob
import os

import tensorflow as tf

os.makedirs("records", exist_ok=True)
for i, path in enumerate(sorted(glob.glob("photos/*.jpg"))):
    with open(path, "rb") as f:
        data = f.read()
    example = tf.train.Example(features=tf.train.Features(feature={
        "image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[data])),
        "name": tf.train.Feature(bytes_list=tf.train.BytesList(value=[path.encode()])),
    }))
    with tf.io.TFRecordWriter(f"records/{i:06d}.tfrecord") as writer:
        writer.write(example.SerializeToString())
