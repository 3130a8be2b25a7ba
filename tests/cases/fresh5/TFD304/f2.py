import tensorflow as tf

MAX_STEPS = 300


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (224, 224)) / 255.0


def dataset(pattern):
    return (
        tf.data.Dataset.list_files(pattern)
        .map(load, num_parallel_calls=tf.data.AUTOTUNE)
        .cache()
        .batch(64, drop_remainder=True)
        .prefetch(tf.data.AUTOTUNE)
    )


autoencoder = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, strides=2, padding="same", activation="relu"),
    tf.keras.layers.Conv2DTranspose(3, 3, strides=2, padding="same"),
])
opt = tf.keras.optimizers.Adam(1e-3)


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(autoencoder(x, training=True) - x))
    grads = tape.gradient(loss, autoencoder.trainable_variables)
    opt.apply_gradients(zip(grads, autoencoder.trainable_variables))
    return loss


ds = dataset("/data/landscapes/*.jpg")
for epoch in range(10):
    for step, batch in enumerate(ds):
        if step >= MAX_STEPS:
            break
        loss = train_step(batch)
    print(epoch, float(loss))
