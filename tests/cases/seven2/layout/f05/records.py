import tensorflow as tf

SHAPE = (3, 224, 224)
SPEC = {
    "pixels": tf.io.FixedLenFeature([], tf.string),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def parse(serialized):
    ex = tf.io.parse_example(serialized, SPEC)
    pixels = tf.io.decode_raw(ex["pixels"], tf.uint8)
    images = tf.reshape(pixels, (-1, *SHAPE))
    return tf.cast(images, tf.float32) / 255.0, ex["label"]


def load(pattern, batch_size):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(5_000).batch(batch_size, drop_remainder=True)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
