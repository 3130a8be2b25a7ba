import tensorflow as tf


def data(folder, training):
    ds = tf.keras.utils.image_dataset_from_directory(
        folder, labels="inferred", label_mode="int", image_size=(128, 128), shuffle=training)
    return ds.prefetch(tf.data.AUTOTUNE)


def network(classes=101):
    return tf.keras.Sequential([
        tf.keras.layers.Rescaling(1.0 / 255),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(classes, activation="softmax"),
    ])


class Config:
    optimizer = "adam"
    loss = "categorical_crossentropy"
    epochs = 10


model = network()
model.compile(optimizer=Config.optimizer, loss=Config.loss, metrics=["accuracy"])
model.fit(data("/data/food/train", True), validation_data=data("/data/food/val", False), epochs=Config.epochs)
