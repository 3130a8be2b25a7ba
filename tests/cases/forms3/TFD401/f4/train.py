import keras
import tensorflow as tf

from steps import rescale

train, val = keras.utils.image_dataset_from_directory(
    "gestures", image_size=(96, 96), validation_split=0.2, subset="both", seed=7)
names = train.class_names
for ds in (train, val):
    rescale(ds)

model = keras.Sequential([
    keras.layers.Conv2D(16, 3, activation="relu"),
    keras.layers.GlobalAveragePooling2D(),
    keras.layers.Dense(len(names), activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train.prefetch(tf.data.AUTOTUNE), validation_data=val.prefetch(tf.data.AUTOTUNE), epochs=12)
