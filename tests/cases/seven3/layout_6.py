import keras
import tensorflow as tf

SOURCE = dict(
    directory="/data/satellite",
    image_size=(128, 128),
    batch_size=64,
    validation_split=0.2,
    seed=11,
    data_format="channels_first",
)


class Planes(keras.Model):
    def __init__(self, width, classes):
        super().__init__()
        self.scale = keras.layers.Rescaling(1 / 255.0)
        self.stem = keras.layers.Conv2D(width, 5, strides=2, activation="relu", data_format="channels_first")
        self.blocks = [
            keras.layers.SeparableConv2D(width * 2 ** i, 3, activation="relu", data_format="channels_first")
            for i in range(1, 4)
        ]
        self.pool = keras.layers.GlobalMaxPooling2D(data_format="channels_first")
        self.head = keras.layers.Dense(classes)

    def call(self, x, training=False):
        x = self.stem(self.scale(x))
        for block in self.blocks:
            x = block(x)
        return self.head(self.pool(x))


train = keras.utils.image_dataset_from_directory(subset="training", **SOURCE)
valid = keras.utils.image_dataset_from_directory(subset="validation", **SOURCE)

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = Planes(32, len(train.class_names))
    model.compile(
        optimizer=keras.optimizers.Adam(1e-3),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )

model.fit(train, validation_data=valid, epochs=25)
