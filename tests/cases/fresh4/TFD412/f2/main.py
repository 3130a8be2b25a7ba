import tensorflow as tf

from augment import distort
from source import SPLITS, read

datasets = {
    split: read(split).map(distort, num_parallel_calls=tf.data.AUTOTUNE).batch(64).prefetch(tf.data.AUTOTUNE)
    for split in SPLITS
}

model = tf.keras.applications.MobileNetV2(input_shape=(96, 96, 3), weights=None, classes=10)
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(datasets["train"], epochs=25)
print(model.evaluate(datasets["test"], return_dict=True))
