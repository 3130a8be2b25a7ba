import keras

from data import read_directory

model = keras.Sequential([
    keras.layers.Rescaling(1 / 255.0),
    keras.layers.Conv2D(16, 3, activation="relu"),
    keras.layers.GlobalAveragePooling2D(),
    keras.layers.Dense(3, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])

epoch = 0
patience = 5
best = 0.0
while patience > 0 and epoch < 100:
    logs = model.fit(read_directory("beans/train"), initial_epoch=epoch, epochs=epoch + 1)
    accuracy = logs.history["accuracy"][0]
    patience = 5 if accuracy > best else patience - 1
    best = max(best, accuracy)
    epoch += 1
