import numpy as np
import tensorflow as tf

SPEC = {"features": tf.io.FixedLenFeature([512], tf.float32)}
network = tf.keras.models.load_model("/models/encoder.keras")

files = tf.data.Dataset.list_files("/data/catalog/*.tfrecord", shuffle=False)
ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(256)
ds = ds.map(lambda r: tf.io.parse_example(r, SPEC), num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)


@tf.function
def embed(batch):
    return network(batch["features"], training=False)


vectors = [embed(batch) for batch in ds]
np.save("vectors.npy", tf.concat(vectors, 0).numpy())
