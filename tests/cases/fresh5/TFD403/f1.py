import tensorflow as tf


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (64, 64)) / 127.5 - 1.0


ds = tf.data.Dataset.list_files("/data/faces/*.jpg")
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.repeat().batch(64, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

encoder = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(64)])
decoder = tf.keras.Sequential([tf.keras.layers.Dense(64 * 64 * 3), tf.keras.layers.Reshape((64, 64, 3))])
optimizer = tf.keras.optimizers.Adam(2e-4)


@tf.function
def train_step(images):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(decoder(encoder(images)) - images))
    variables = encoder.trainable_variables + decoder.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


for step in range(100_000):
    images = next(iter(ds))
    loss = train_step(images)
    if step % 1000 == 0:
        print(step, float(loss))
