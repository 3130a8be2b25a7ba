import tensorflow as tf
import tensorflow_datasets as tfds


def prepare(images, labels):
    return tf.cast(images, tf.float32) / 255.0, labels


train_ds = tfds.load("imagenet_resized/64x64", split="train", as_supervised=True, shuffle_files=True)
train_ds = train_ds.shuffle(20_000).batch(256, drop_remainder=True)
train_ds = train_ds.map(prepare, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

model = tf.keras.applications.ResNet50(weights=None, input_shape=(64, 64, 3), classes=1000)
optimizer = tf.keras.optimizers.SGD(0.1, momentum=0.9)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy()


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(images, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


tf.profiler.experimental.start("logs/profile")
for step, (images, labels) in enumerate(train_ds):
    with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
        loss = train_step(images, labels)
tf.profiler.experimental.stop()
