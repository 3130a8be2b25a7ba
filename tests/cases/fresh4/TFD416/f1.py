import tensorflow as tf


def images(pattern):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.map(
        lambda p: tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(p), channels=3), (128, 128)),
        num_parallel_calls=tf.data.AUTOTUNE,
    )
    return ds.batch(4, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


generator = tf.keras.models.load_model("generator.keras")
optimizer = tf.keras.optimizers.Adam(2e-4)


def step(horses, zebras):
    with tf.GradientTape() as tape:
        fake = generator(horses, training=True)
        loss = tf.abs(tf.reduce_mean(fake) - tf.reduce_mean(zebras))
    variables = generator.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


pairs = zip(images("horses/*.jpg"), images("zebras/*.jpg"))
for epoch in range(40):
    for horses, zebras in pairs:
        loss = step(horses, zebras)
    print(epoch, float(loss))
generator.save("generator.keras")
