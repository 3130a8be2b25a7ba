import types

import numpy as np
import tensorflow as tf

BATCH = 12
ns = types.SimpleNamespace()
generator = np.random.default_rng(21)


def slices(count):
    image = generator.integers(0, 255, (count, 8, 8, 1), dtype=np.uint8)
    label = generator.integers(0, 3, count)
    return tf.data.Dataset.from_tensor_slices((image, label))


def scale(image, label):
    return tf.image.convert_image_dtype(image, tf.float32), label


ns.__dict__.update(train=slices(72).shuffle(72), test=slices(24))
ns.__dict__.update({
    key: ds.batch(BATCH).map(scale, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
    for key, ds in vars(ns).items()
})

model = tf.keras.Sequential([
    tf.keras.Input((8, 8, 1)),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(3),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ns.train, epochs=2, verbose=0)
model.evaluate(ns.test, verbose=0)
