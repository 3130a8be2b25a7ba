import tensorflow as tf

import settings
from evaluation import evaluation_set

train = tf.data.Dataset.list_files(settings.TRAIN, shuffle=False)
train = train.map(settings.wave, num_parallel_calls=tf.data.AUTOTUNE)
train = train.cache(settings.CACHE_FILE)
train = train.shuffle(3000).batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv1D(16, 9, strides=4, activation="relu"),
    tf.keras.layers.GlobalMaxPooling1D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(train, validation_data=evaluation_set(), epochs=20)
