import keras
import tensorflow as tf

data = keras.utils.image_dataset_from_directory(
    "happy_sad", image_size=(128, 128), batch_size=None, label_mode="binary", seed=2)
train, rest = keras.utils.split_dataset(data, left_size=0.7)
val, test = keras.utils.split_dataset(rest, left_size=0.5)


def scale(ds):
    ds = ds.batch(32).map(lambda x, y: (x / 255.0, y), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


model = keras.Sequential([
    keras.layers.Conv2D(16, 3, activation="relu"),
    keras.layers.MaxPooling2D(),
    keras.layers.Flatten(),
    keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(scale(train), validation_data=scale(val), epochs=20)
print(model.evaluate(scale(test)))
