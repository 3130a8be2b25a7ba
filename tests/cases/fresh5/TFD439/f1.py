import tensorflow as tf


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (128, 128)) / 255.0
    return tf.image.random_flip_left_right(image)


ds = tf.data.Dataset.list_files("/data/faces/*.jpg").repeat()
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(64, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
batches = iter(ds)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, strides=2, padding="same", activation="relu"),
    tf.keras.layers.Conv2DTranspose(3, 3, strides=2, padding="same"),
])
opt = tf.keras.optimizers.Adam()
checkpoint = tf.train.Checkpoint(model=model, optimizer=opt, batches=batches)
manager = tf.train.CheckpointManager(checkpoint, "/ckpt/faces", max_to_keep=3)


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - x))
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))


for step in range(1, 100_001):
    train_step(next(batches))
    if step % 5000 == 0:
        manager.save()
