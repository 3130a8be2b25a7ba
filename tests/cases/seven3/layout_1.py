# %%
import keras
import tensorflow as tf

keras.backend.set_image_data_format("channels_first")

AUTO = tf.data.AUTOTUNE
CLASSES = 43


# %%
def decode(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (48, 48))
    label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
    return tf.transpose(image, (2, 0, 1)) / 255.0, label


train = tf.data.Dataset.list_files("/kaggle/input/gtsrb/Train/*/*.png", shuffle=True)
train = train.map(decode, num_parallel_calls=AUTO).batch(128).prefetch(AUTO)

# %%
model = keras.Sequential()
model.add(keras.Input((3, 48, 48)))
model.add(keras.layers.Conv2D(32, (3, 3), padding="same", activation="relu"))
model.add(keras.layers.Conv2D(32, (3, 3), activation="relu"))
model.add(keras.layers.MaxPooling2D((2, 2)))
model.add(keras.layers.Dropout(0.2))
model.add(keras.layers.Conv2D(64, (3, 3), padding="same", activation="relu"))
model.add(keras.layers.Conv2D(64, (3, 3), activation="relu"))
model.add(keras.layers.MaxPooling2D((2, 2)))
model.add(keras.layers.Flatten())
model.add(keras.layers.Dense(512, activation="relu"))
model.add(keras.layers.Dense(CLASSES, activation="softmax"))

# %%
model.compile(keras.optimizers.SGD(0.01, momentum=0.9, nesterov=True),
              "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=30)
