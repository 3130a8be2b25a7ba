import keras
import tensorflow as tf
from keras import layers

train = keras.utils.image_dataset_from_directory(
    "flowers/train",
    image_size=(180, 180),
    batch_size=64,
    data_format="channels_first",
)
class_names = train.class_names
train = train.prefetch(tf.data.AUTOTUNE)


class FlowerNet(keras.Model):
    layout = "channels_first"

    def __init__(self, classes):
        super().__init__()
        self.scale = layers.Rescaling(1.0 / 255)
        self.convs = [layers.Conv2D(w, 3, strides=2, activation="relu", data_format=self.layout) for w in (16, 32, 64)]
        self.pool = layers.GlobalAveragePooling2D(data_format=self.layout)
        self.head = layers.Dense(classes)

    def call(self, x):
        x = self.scale(x)
        for conv in self.convs:
            x = conv(x)
        return self.head(self.pool(x))


model = FlowerNet(len(class_names))
model.compile(
    optimizer="adam",
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
model.fit(train, epochs=15)
