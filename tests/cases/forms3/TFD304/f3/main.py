import sys

import tensorflow as tf

from data import images

limit = int(sys.argv[1]) if len(sys.argv) > 1 else 320
subset = images("train/*.jpg").take(limit)
subset = subset.batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.applications.MobileNetV2(weights=None, classes=2, input_shape=(224, 224, 3))
model.compile("adam", "sparse_categorical_crossentropy")
for run in range(5):
    model.fit(subset, epochs=3)
    model.save(f"run_{run}.keras")
