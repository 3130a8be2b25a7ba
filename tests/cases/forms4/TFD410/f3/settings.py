import tensorflow as tf

BATCH_SIZE = 256
SEED = 7
TRACE_INPUT = True
FEATURES = {
    "x": tf.io.FixedLenFeature([12], tf.float32),
    "y": tf.io.FixedLenFeature([], tf.float32),
}


def apply():
    tf.keras.utils.set_random_seed(SEED)
    if TRACE_INPUT:
        tf.data.experimental.enable_debug_mode()
