import tensorflow as tf
import tensorflow_datasets as tfds

ds = tfds.load("imagenet_resized/64x64", split="train", as_supervised=True, shuffle_files=True)
ds = ds.shuffle(20_000).repeat().batch(256, drop_remainder=True)
ds = ds.map(lambda x, y: (tf.cast(x, tf.float32) / 255.0, y), num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.applications.ResNet50(weights=None, input_shape=(64, 64, 3), classes=1000)
optimizer = tf.keras.optimizers.SGD(0.1)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy()


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(images, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


iterator = iter(ds)
tf.profiler.experimental.start("/tmp/profile")
for step in range(200):
    with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
        images, labels = next(iterator)
        loss = train_step(images, labels)
tf.profiler.experimental.stop()
