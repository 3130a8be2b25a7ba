import tensorflow as tf

SPEC = {
    "pose": tf.io.FixedLenFeature([6], tf.float32),
    "velocity": tf.io.FixedLenFeature([3], tf.float32),
}


def clips(path, size=30):
    frames = tf.data.TFRecordDataset(path).map(
        lambda record: tf.io.parse_single_example(record, SPEC),
        num_parallel_calls=tf.data.AUTOTUNE,
    )
    windows = frames.window(size, drop_remainder=True)
    return windows.shuffle(200).prefetch(tf.data.AUTOTUNE)
