import tensorflow as tf
from tensorflow.profiler.experimental import Profile, Trace


def load(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=1)
    return tf.image.resize(image, (256, 256)) / 255.0


def data(pattern):
    ds = tf.data.Dataset.list_files(pattern).repeat()
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(16).prefetch(tf.data.AUTOTUNE)


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


batches = iter(data("/data/xray/*.png"))
for _ in range(100):
    train_step(next(batches))
with Profile("/logs/xray"):
    for i in range(6):
        with Trace(f"train_{i}"):
            train_step(next(batches))
