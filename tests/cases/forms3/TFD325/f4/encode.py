import tensorflow as tf

ITEMS = 50000


def multi_hot(row):
    hot = tf.reduce_max(tf.one_hot(row["items"], ITEMS), axis=1)
    return {"items": hot, "total": tf.cast(row["total"], tf.float32)}
