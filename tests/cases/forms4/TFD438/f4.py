import tensorflow as tf

PATH = "embeddings.tfrecord"


def export(vectors):
    with tf.io.TFRecordWriter(PATH) as writer:
        for vector in vectors:
            vector = tf.cast(vector, tf.float32)
            writer.write(tf.io.serialize_tensor(vector).numpy())


def restore(record):
    vector = tf.io.parse_tensor(record, out_type=tf.float64)
    return tf.ensure_shape(vector, [128])


def nearest(query, ds):
    best, best_score = -1, -1.0
    for index, vector in enumerate(ds):
        score = float(tf.tensordot(query, vector, 1))
        if score > best_score:
            best, best_score = index, score
    return best


vectors = tf.math.l2_normalize(tf.random.normal([500, 128], seed=4), axis=1)
export(vectors)
stored = tf.data.TFRecordDataset(PATH)
stored = stored.map(restore, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
print(nearest(tf.cast(vectors[17], tf.float64), stored))
