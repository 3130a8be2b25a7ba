import functools

import tensorflow as tf
import tensorflow_datasets as tfds


def traced(name):
    def wrap(fn):
        counter = iter(range(10**9))

        @functools.wraps(fn)
        def inner(*args):
            with tf.profiler.experimental.Trace(name, step_num=next(counter), _r=1):
                return fn(*args)

        return inner

    return wrap


ds = tfds.load("imagenet_resized/32x32", split="train", as_supervised=True, shuffle_files=True)
ds = ds.shuffle(50_000).batch(512, drop_remainder=True)
ds = ds.map(lambda x, y: (tf.cast(x, tf.float32) / 255.0, y), num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.applications.ResNet50(weights=None, input_shape=(32, 32, 3), classes=1000)
optimizer = tf.keras.optimizers.SGD(0.1, momentum=0.9)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy()


@traced("train")
@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(images, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


with tf.profiler.experimental.Profile("/tmp/in32"):
    for images, labels in ds:
        train_step(images, labels)
