import tensorflow as tf
import tensorflow_datasets as tfds

BATCH = 128


def examples(split, training):
    ds = tfds.load("emnist", split=split, as_supervised=True, shuffle_files=training)
    if training:
        ds = ds.shuffle(20_000)
    return ds.batch(BATCH)


def scale(images, labels):
    return tf.cast(images, tf.float32) / 255.0, labels


def finish(ds, batch_size):
    ds = ds.map(scale, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size)
    return ds.prefetch(tf.data.AUTOTUNE)


train = finish(examples("train", True), BATCH)
test = finish(examples("test", False), BATCH)
model = tf.keras.Sequential([
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(128, activation="relu"),
    tf.keras.layers.Dense(62),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
model.fit(train, validation_data=test, epochs=6)
