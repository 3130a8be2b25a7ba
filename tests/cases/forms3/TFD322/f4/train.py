import glob

import tensorflow as tf

from features import all_features

files = sorted(glob.glob("esc50/audio/*.wav"))
x, y = all_features(files)
train = tf.data.Dataset.from_tensor_slices((x, y))
train = train.shuffle(len(files), seed=4).batch(16).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(50, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, epochs=30)
