import os

import tensorflow as tf


def configure(memory_mb=None):
    cores = os.cpu_count()
    tf.config.threading.set_inter_op_parallelism_threads(cores)
    tf.config.threading.set_intra_op_parallelism_threads(cores)
    if memory_mb is not None:
        print(f"{memory_mb} MB asked for")
    return cores
