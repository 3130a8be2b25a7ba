import tensorflow as tf
from tensorflow import keras

train_ds, val_ds = keras.utils.image_dataset_from_directory(
    "pets/",
    validation_split=0.2,
    subset="both",
    seed=1337,
    image_size=(180, 180),
    batch_size=128,
)

data_augmentation = keras.Sequential([
    keras.layers.RandomFlip("horizontal"),
    keras.layers.RandomRotation(0.1),
])

train_ds = train_ds.map(
    lambda img, label: (data_augmentation(img, training=True), label),
    num_parallel_calls=tf.data.AUTOTUNE,
)

model = keras.Sequential([
    keras.layers.Rescaling(1.0 / 255),
    keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
    keras.layers.Conv2D(128, 3, strides=2, activation="relu"),
    keras.layers.GlobalAveragePooling2D(),
    keras.layers.Dense(1, activation="sigmoid"),
])
model.compile(keras.optimizers.Adam(3e-4), "binary_crossentropy", metrics=["accuracy"])
model.fit(train_ds, epochs=25, validation_data=val_ds)
