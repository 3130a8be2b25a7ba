import tensorflow as tf

paths = tf.constant(sorted(tf.io.gfile.glob("/data/xray/*.png")))
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, strides=2, padding="same", activation="relu"),
    tf.keras.layers.Conv2DTranspose(1, 3, strides=2, padding="same"),
])
optimizer = tf.keras.optimizers.Adam()


def load(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=1)
    return tf.image.resize(image, (256, 256)) / 255.0


@tf.function
def train_step(images):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(model(images, training=True) - images))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


epoch = 0
while epoch < 40:
    ds = tf.data.Dataset.from_tensor_slices(paths)
    ds = ds.shuffle(8000).map(load, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(16).prefetch(tf.data.AUTOTUNE)
    for images in ds:
        loss = train_step(images)
    print(f"epoch {epoch}: {float(loss):.4f}")
    epoch += 1
