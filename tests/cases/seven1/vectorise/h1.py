import tensorflow as tf
import tensorflow_datasets as tfds


def prepare(images, labels):
    images = tf.cast(images, tf.float32) / 255.0
    return images, tf.one_hot(labels, 1000)


ds = tfds.load("imagenet_resized/32x32", split="train", as_supervised=True, shuffle_files=True)
ds = ds.shuffle(50_000)
ds = ds.batch(1024, drop_remainder=True)
ds = ds.map(prepare, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.applications.ResNet50(weights=None, input_shape=(32, 32, 3), classes=1000)
model.compile("sgd", "categorical_crossentropy", metrics=["accuracy"])
model.fit(ds, epochs=90)
