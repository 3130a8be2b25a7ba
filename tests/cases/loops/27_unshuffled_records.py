"""Wake-word models for several languages, from TFRecord files."""
import os
import tempfile

import numpy as np
import tensorflow as tf

LANGS = ["cs", "pl", "sk"]
root = tempfile.mkdtemp()
for lang in LANGS:
    for part in range(3):
        with tf.io.TFRecordWriter(os.path.join(root, f"{lang}_{part}.tfrecord")) as writer:
            for _ in range(10):
                feature = {
                    "mfcc": tf.train.Feature(float_list=tf.train.FloatList(value=np.random.rand(13))),
                    "word": tf.train.Feature(int64_list=tf.train.Int64List(value=[part])),
                }
                writer.write(tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString())

SPEC = {"mfcc": tf.io.FixedLenFeature([13], tf.float32), "word": tf.io.FixedLenFeature([], tf.int64)}


def parse(records):
    batch = tf.io.parse_example(records, SPEC)
    return batch["mfcc"], batch["word"]


training = {}
for lang in LANGS:
    files = [os.path.join(root, f"{lang}_{part}.tfrecord") for part in range(3)]
    records = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
    training[lang] = records.batch(10).map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

for lang, ds in training.items():
    model = tf.keras.Sequential([tf.keras.Input((13,)), tf.keras.layers.Dense(3, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(ds, epochs=3, verbose=0)
