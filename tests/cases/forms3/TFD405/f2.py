import tensorflow as tf
import tensorflow_datasets as tfds

BATCH = 128


def make(split, training):
    ds, info = tfds.load("fashion_mnist", split=split, as_supervised=True, with_info=True)
    if training:
        ds = ds.shuffle(60000)
    ds = ds.repeat().batch(BATCH)
    ds = ds.map(lambda x, y: (tf.cast(x, tf.float32) / 255.0, y), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE), info.splits[split].num_examples // BATCH


train, steps = make("train", True)
val, _ = make("test", False)
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(
    train,
    steps_per_epoch=steps,
    validation_data=val,
    epochs=5,
)
