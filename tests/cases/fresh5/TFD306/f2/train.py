import tensorflow as tf

from pipeline import TrainPipeline

model = tf.keras.Sequential([
    tf.keras.layers.Dense(256, activation="relu"),
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile(optimizer="adagrad", loss="binary_crossentropy", metrics=["AUC"])
model.fit(TrainPipeline("/data/criteo/part-*")(), epochs=2)
