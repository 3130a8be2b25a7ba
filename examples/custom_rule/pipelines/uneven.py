import tensorflow as tf

numbers = tf.data.Dataset.range(1000).batch(30, drop_remainder=True)
for batch in numbers:
    tf.reduce_sum(batch)
