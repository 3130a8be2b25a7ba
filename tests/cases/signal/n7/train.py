import tensorflow as tf


def parse(record):
    return tf.io.decode_jpeg(record), 1


train = tf.data.TFRecordDataset("a").map(parse, num_parallel_calls=tf.data.experimental.AUTOTUNE).batch(8).prefetch(1)
val = tf.data.TFRecordDataset("b").map(parse).batch(8)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(train, epochs=9, validation_data=val, validation_steps=30)
