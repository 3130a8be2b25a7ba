import numpy as np
import tensorflow as tf


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (224, 224)) / 255.0
    return image, tf.cast(tf.strings.split(path, "/")[-2] == "dog", tf.float32)


def mixup(images, labels):
    share = np.float32(np.random.beta(0.2, 0.2))
    return share * images + (1 - share) * images[::-1], share * labels + (1 - share) * labels[::-1]


def mixed(images, labels):
    x, y = tf.numpy_function(mixup, [images, labels], [tf.float32, tf.float32])
    return tf.ensure_shape(x, (None, 224, 224, 3)), tf.ensure_shape(y, (None,))


ds = tf.data.Dataset.list_files("/nfs/cats_dogs/*/*.jpg")
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(64)
ds = ds.apply(tf.data.experimental.service.distribute("distributed_epoch", "grpc://dispatcher:5000"))
ds = ds.map(mixed, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(ds, epochs=20)
