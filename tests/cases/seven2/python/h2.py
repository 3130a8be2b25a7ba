import numpy as np
import tensorflow as tf


def parse(batch):
    ex = tf.io.parse_example(batch, {"x": tf.io.FixedLenFeature([50], tf.float32),
                                     "y": tf.io.FixedLenFeature([], tf.int64)})
    return ex["x"], ex["y"]


def rank_auc(scores, labels):
    order = np.argsort(np.argsort(scores)) + 1
    pos = labels == 1
    n, m = pos.sum(), (~pos).sum()
    return np.float64((order[pos].sum() - n * (n + 1) / 2) / (n * m))


def batches(pattern):
    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(pattern), num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.batch(512).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="relu"),
                             tf.keras.layers.Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy")
model.fit(batches("/data/fraud/train-*"), epochs=10)

test = batches("/data/fraud/test-*")
labels = tf.concat([y for _, y in test], axis=0)
scores = tf.squeeze(model.predict(test), -1)
print("auc", float(tf.numpy_function(rank_auc, [scores, labels], tf.float64)))
