import tensorflow as tf
import tensorflow_datasets as tfds


class Augment(tf.keras.layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.augment_inputs = tf.keras.layers.RandomFlip("horizontal")
        self.augment_labels = tf.keras.layers.RandomFlip("horizontal")

    def call(self, inputs, labels):
        return self.augment_inputs(inputs, training=True), self.augment_labels(labels, training=True)


def normalize(sample):
    image = tf.image.resize(sample["image"], (128, 128)) / 255.0
    mask = tf.image.resize(sample["segmentation_mask"], (128, 128), method="nearest")
    return image, mask - 1


pets = tfds.load("oxford_iiit_pet", split="train", shuffle_files=True)
train = pets.map(normalize, num_parallel_calls=tf.data.AUTOTUNE)
train = train.shuffle(1000).batch(64)
train = train.map(Augment(), num_parallel_calls=tf.data.AUTOTUNE)
train = train.prefetch(tf.data.AUTOTUNE)

model = tf.keras.models.load_model("pets.keras")
model.fit(train, epochs=20)
