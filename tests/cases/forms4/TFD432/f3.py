import tensorflow as tf
import tensorflow_datasets as tfds


class PetMasks:
    def __init__(self, size=128, batch_size=64):
        self.resizing = tf.keras.layers.Resizing(size, size)
        self.batch_size = batch_size

    def prepare(self, sample):
        image = self.resizing(sample["image"]) / 255.0
        trimap = self.resizing(sample["segmentation_mask"])
        return image, tf.cast(trimap, tf.int32) - 1

    def split(self, name):
        training = name == "train"
        ds = tfds.load("oxford_iiit_pet", split=name, shuffle_files=training)
        if training:
            ds = ds.shuffle(500)
        ds = ds.map(self.prepare, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)


pets = PetMasks()
model = tf.keras.Sequential([
    tf.keras.Input((128, 128, 3)),
    tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(3, 1, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(pets.split("train"), validation_data=pets.split("test"), epochs=20)
