import tensorflow as tf

from stream import clips

encoder = tf.keras.layers.GRU(32, return_sequences=True)
decoder = tf.keras.layers.Dense(3)
optimizer = tf.keras.optimizers.Adam()


def step(clip):
    with tf.GradientTape() as tape:
        hidden = encoder(clip["pose"][tf.newaxis])
        loss = tf.reduce_mean(tf.square(decoder(hidden) - clip["velocity"][tf.newaxis]))
    variables = encoder.trainable_variables + decoder.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


for clip in clips("poses.tfrecord"):
    loss = step(clip)
print("last loss", float(loss))
