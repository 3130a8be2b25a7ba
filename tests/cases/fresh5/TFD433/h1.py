import tensorflow as tf


def data(folder, training):
    ds = tf.keras.utils.image_dataset_from_directory(
        folder, label_mode="categorical", image_size=(128, 128), shuffle=training)
    return ds.prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Rescaling(1.0 / 255),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(101, activation="softmax"),
])
model.compile("adam", "categorical_crossentropy", metrics=["accuracy"])
model.fit(data("/data/food/train", True), validation_data=data("/data/food/val", False), epochs=10)
