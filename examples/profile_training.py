"""A custom training loop, profiled, with an input pipeline from the days of TensorFlow 1.15."""

import tensorflow as tf

BATCH_SIZE = 128


def decode(path, label):
    image = tf.io.decode_png(tf.io.read_file(path), channels=1)
    return tf.transpose(tf.cast(image, tf.float32) / 255.0, [2, 0, 1]), label


def digits(paths, labels):
    dataset = tf.data.Dataset.from_tensor_slices((paths, labels))
    dataset = dataset.repeat().shuffle(len(paths))
    return dataset.apply(
        tf.data.experimental.map_and_batch(decode, BATCH_SIZE, num_parallel_calls=tf.data.experimental.AUTOTUNE)
    )


def build_model():
    return tf.keras.Sequential(
        [
            tf.keras.layers.Conv2D(32, 3, activation="relu", data_format="channels_first"),
            tf.keras.layers.Flatten(),
            tf.keras.layers.Dense(10),
        ]
    )


@tf.function
def train_step(model, optimizer, images, labels):
    with tf.GradientTape() as tape:
        logits = model(images, training=True)
        loss = tf.reduce_mean(tf.keras.losses.sparse_categorical_crossentropy(labels, logits, from_logits=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def train(paths, labels, steps=500):
    model, optimizer = build_model(), tf.keras.optimizers.Adam()
    dataset = digits(paths, labels).prefetch(1)
    tf.profiler.experimental.start("logs")
    for step, (images, targets) in enumerate(dataset):
        with tf.profiler.experimental.Trace("train", step_num=step):
            train_step(model, optimizer, images, targets)
        if step == steps:
            break
    tf.profiler.experimental.stop()
