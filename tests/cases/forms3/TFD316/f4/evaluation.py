import tensorflow as tf

import settings


def evaluation_set():
    ds = tf.data.Dataset.list_files(settings.TEST, shuffle=False)
    ds = ds.map(settings.wave, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.cache(settings.CACHE_FILE).batch(32).prefetch(tf.data.AUTOTUNE)
