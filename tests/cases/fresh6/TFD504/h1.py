import tensorflow as tf


def load(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=1)
    return tf.image.resize(image, (256, 256)) / 255.0


ds = tf.data.Dataset.list_files("/data/xray/*.png").repeat()
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(16).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, strides=2, padding="same", activation="relu"),
    tf.keras.layers.Conv2DTranspose(1, 3, strides=2, padding="same"),
])
opt = tf.keras.optimizers.Adam()


@tf.function
def train_step(images):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(images, training=True) - images))
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))


batches = iter(ds)
for _ in range(20):
    train_step(next(batches))
tf.profiler.experimental.start("/logs/xray")
for number in range(8):
    with tf.profiler.experimental.Trace("step", step_num=number, _r=1):
        train_step(next(batches))
tf.profiler.experimental.stop()
