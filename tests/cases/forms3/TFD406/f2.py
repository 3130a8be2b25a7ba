import tensorflow as tf
import tensorflow_datasets as tfds


def count(ds):
    return sum(1 for _ in ds)


def split(ds, share):
    n = count(ds)
    k = int(n * share)
    return ds.skip(k), ds.take(k)


def scale(x, y):
    return tf.cast(x, tf.float32) / 255.0, y


source = tfds.load("kmnist", split="train", as_supervised=True)
train, val = split(source, 0.1)
train = train.shuffle(54000).batch(128).map(scale, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
val = val.batch(128).map(scale, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, validation_data=val, epochs=5)
