import keras
import tensorflow as tf
from keras import layers


def get_sets(root):
    train = keras.utils.image_dataset_from_directory(
        f"{root}/train", image_size=(150, 150), batch_size=20, shuffle=False, label_mode="binary")
    val = keras.utils.image_dataset_from_directory(
        f"{root}/val", image_size=(150, 150), batch_size=20, shuffle=False, label_mode="binary")
    return train, val


def optimise(ds, training):
    ds = ds.cache()
    if training:
        ds = ds.shuffle(500, seed=11)
    return ds.prefetch(tf.data.AUTOTUNE)


train, val = get_sets("cats_and_dogs")
model = keras.Sequential([
    layers.Rescaling(1 / 255.0),
    layers.Conv2D(32, 3, activation="relu"),
    layers.GlobalMaxPooling2D(),
    layers.Dense(1, activation="sigmoid"),
])
model.compile("rmsprop", "binary_crossentropy", metrics=["accuracy"])
model.fit(optimise(train, True), validation_data=optimise(val, False), epochs=30)
