import keras
import tensorflow as tf

data = keras.utils.image_dataset_from_directory(
    "happy_sad", image_size=(256, 256), batch_size=32, label_mode="binary", seed=2)
data = data.map(lambda x, y: (x / 255.0, y), num_parallel_calls=tf.data.AUTOTUNE)

train_size = int(len(data) * 0.7)
val_size = int(len(data) * 0.2) + 1
test_size = int(len(data) * 0.1) + 1
train = data.take(train_size)
val = data.skip(train_size).take(val_size)
test = data.skip(train_size + val_size).take(test_size)

model = keras.Sequential([
    keras.layers.Conv2D(16, 3, activation="relu"),
    keras.layers.MaxPooling2D(),
    keras.layers.Flatten(),
    keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(train.prefetch(tf.data.AUTOTUNE), validation_data=val.prefetch(tf.data.AUTOTUNE), epochs=20)
print(model.evaluate(test))
