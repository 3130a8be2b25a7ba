import tensorflow as tf

import settings
from settings import BATCH_SIZE

settings.apply()

files = tf.data.Dataset.list_files("shards/*.tfrecord")
examples = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
examples = examples.shuffle(4096)
examples = examples.map(
    lambda record: tf.io.parse_single_example(record, settings.FEATURES),
    num_parallel_calls=tf.data.AUTOTUNE,
)
examples = examples.map(
    lambda e: (e["x"], e["y"]), num_parallel_calls=tf.data.AUTOTUNE
)
examples = examples.batch(BATCH_SIZE).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(examples, epochs=4)
