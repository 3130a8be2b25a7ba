import keras
import tensorflow as tf
from keras import layers


class Pipeline:
    def __init__(self, directory, size=(180, 180)):
        self.directory = directory
        self.size = size
        self.augmentation = keras.Sequential([
            layers.RandomFlip("horizontal"),
            layers.RandomRotation(0.1),
            layers.RandomZoom(0.2),
        ])

    def training_set(self):
        ds = keras.utils.image_dataset_from_directory(
            self.directory, image_size=self.size, batch_size=32, seed=123,
            validation_split=0.2, subset="training")
        ds = ds.map(
            lambda x, y: (self.augmentation(x, training=True), y),
            num_parallel_calls=tf.data.AUTOTUNE,
        )
        return ds.cache().prefetch(tf.data.AUTOTUNE)


pipe = Pipeline("PetImages")
train = pipe.training_set()
model = keras.Sequential([
    layers.Rescaling(1.0 / 255),
    layers.Conv2D(32, 3, activation="relu"),
    layers.GlobalAveragePooling2D(),
    layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(train, epochs=25)
