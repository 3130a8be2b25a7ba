import os

import tensorflow as tf

LOGDIR = os.environ.get("LOGDIR", "logs/colorize")
WARMUP, PROFILED = 50, 8


def load(path):
    rgb = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    rgb = tf.image.resize(rgb, (256, 256))
    rgb = tf.image.random_flip_left_right(rgb) / 255.0
    return tf.image.rgb_to_grayscale(rgb), rgb


dataset = tf.data.Dataset.list_files("/data/places365/*/*.jpg")
dataset = dataset.shuffle(10_000)
dataset = dataset.map(load, num_parallel_calls=tf.data.AUTOTUNE)
dataset = dataset.batch(32, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

L = tf.keras.layers
model = tf.keras.Sequential([tf.keras.Input((256, 256, 1))])
for f in (64, 128, 256):
    model.add(L.Conv2D(f, 3, strides=2, padding="same", activation="relu"))
for f in (128, 64, 32):
    model.add(L.Conv2DTranspose(f, 3, strides=2, padding="same", activation="relu"))
model.add(L.Conv2D(3, 3, padding="same", activation="sigmoid"))
optimizer = tf.keras.optimizers.Adam(1e-4)


@tf.function
def train_step(gray, rgb):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(model(gray, training=True) - rgb))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


for step, (gray, rgb) in enumerate(dataset):
    if step == WARMUP:
        tf.profiler.experimental.start(LOGDIR)
    with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
        loss = train_step(gray, rgb)
    if step == WARMUP + PROFILED:
        tf.profiler.experimental.stop()
    if step % 100 == 0:
        print(step, float(loss))
model.save("colorize.keras")
